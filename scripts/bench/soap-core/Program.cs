// SoapCore on ASP.NET Core as its README starts it, with our contract and the constant result of GetDoctor: no store, no rules.
// PORT FILE, where FILE holds the results by operation as JSON.
using System;
using System.IO;
using System.Linq;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.Text;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Proxy;
using SoapCore;

var builder = WebApplication.CreateBuilder();
builder.WebHost.UseUrls("http://127.0.0.1:" + args[0]);
builder.Logging.ClearProviders();
builder.Services.AddSoapCore();
builder.Services.AddSingleton<TPWebServicesSoap>(new Service(JsonNode.Parse(File.ReadAllText(args[1]))["GetDoctor"]));
var app = builder.Build();
SoapEncoderOptions Encoder(EnvelopeVersion envelope) =>
    new() { MessageVersion = MessageVersion.CreateVersion(envelope, AddressingVersion.None), WriteEncoding = new UTF8Encoding(false) };
((IApplicationBuilder)app).UseSoapEndpoint<TPWebServicesSoap>(options =>
{
    options.Path = "/TPWebServices.asmx";
    options.SoapSerializer = SoapSerializer.XmlSerializer;
    options.IndentXml = false;
    options.EncoderOptions = [Encoder(EnvelopeVersion.Soap11), Encoder(EnvelopeVersion.Soap12)];
});
app.Start();
Console.WriteLine("listening");
app.WaitForShutdown();

sealed class Service(JsonNode result) : TPWebServicesSoap
{
    readonly DoctorList list = new()
    {
        ResultText = (string)result["ResultText"],
        Doctors = ((JsonArray)result["Doctors"]["Doctor"]).Select(doctor => new Doctor
        {
            DoctorID = (int)doctor["DoctorID"],
            DoctorName = (string)doctor["DoctorName"],
            Department = (string)doctor["Department"],
            Specialization = (string)doctor["Specialization"],
            Qualification = (string)doctor["Qualification"],
            SlotMinutes = (int)doctor["SlotMinutes"],
            OPDays = (string)doctor["OPDays"],
            OPTimings = (string)doctor["OPTimings"],
            centerid = (int)doctor["centerid"],
        }).ToArray(),
    };

    public DoctorList GetDoctor(int centerid) => list;
    public AppointmentBooking Fetch_Details(int DoctorID, string RegistrationNumber, DateTime app_date, DateTime app_time, string title, string Name,
        string Sex, string Age, string area, string contactnumber, string email, int centerid) => new();
    public AppointmentChange Appointment_Status_Updates(int AppointmentID, int type, DateTime appdate, DateTime apptime, int centerid) => new();
    public FeedbackReceipt FB_Push_Details(string ipno, string roomno, string moblieno, string dept, string needsimprovementcommit) => new();
    public DoctorDay OPAppointmentdetail(int doctorid, DateTime appdate, int centerid) => new();
    public AppointmentState Appointment_Status(int AppointmentID, int centerid) => new();
    public MessageReceipt Sent_SMS(string Mobileno, string Message, int tempid, int SMSmode) => new();
}
