// A program made for the old WSDL, in which every operation returns nothing. It is not changed for this service but for its address.
// Compiled once per proxy, with FORM for those of the HTTP forms and WCF for dotnet-svcutil's.
using System;
using System.Linq;
using System.Net;
using System.Reflection;
#if WCF
using System.ServiceModel;
using System.ServiceModel.Channels;
#endif
using System.Text;
#if !WCF
using System.Web.Services.Protocols;
#endif
using System.Xml;
using static Checks;

static class OldClient
{
    static readonly string Endpoint = Environment.GetEnvironmentVariable("ENDPOINT");
    static readonly string Run = Environment.GetEnvironmentVariable("RUN");
    static readonly string Text = Environment.GetEnvironmentVariable("TEXT");
#if WCF
    static readonly Proxy.TPWebServicesSoapClient service = new Proxy.TPWebServicesSoapClient(
        Transport == "soap12"
            ? new CustomBinding(
                new TextMessageEncodingBindingElement(MessageVersion.CreateVersion(EnvelopeVersion.Soap12, AddressingVersion.None), Encoding.UTF8),
                new HttpTransportBindingElement())
            : (Binding)new BasicHttpBinding(),
        new EndpointAddress(Endpoint));
#else
    static readonly Proxy.TPWebServices service = new Proxy.TPWebServices { Url = Endpoint };
#endif

    static void Call(string operation, params object[] values)
    {
#if FORM
        values = values.Select(value => value is DateTime ? ((DateTime)value).ToString("s") : value.ToString()).ToArray();
#endif
        try { service.GetType().GetMethod(operation).Invoke(service, values); }
        catch (TargetInvocationException e) { throw e.InnerException; }
    }

    static void Returns(string operation, params object[] values)
    {
        try
        {
            Call(operation, values);
            Report(operation, "returns", true);
        }
        catch (Exception e)
        {
            Report(operation, "returns", false, e.ToString());
        }
    }

    static void Main()
    {
        string day = Environment.GetEnvironmentVariable("DAY");
        DateTime at = DateTime.ParseExact(day, "yyyy-MM-dd", null);
        Returns("GetDoctor", 1);
        Returns("Fetch_Details", 102, Run, at, at, "Mrs", Text, "F", "34", "", "9845012345", "", 1);

        var rows = new XmlDocument();
        rows.LoadXml(new WebClient { Encoding = Encoding.UTF8 }.DownloadString(
            Endpoint + "/OPAppointmentdetail?doctorid=102&centerid=1&appdate=" + day));
        Func<string, string> field = name => rows.GetElementsByTagName(name)[0].InnerText;
        Report("Fetch_Details", "is booked",
            field("Name") == Text && field("apptime") == day + "T00:00:00" && field("RegistrationNumber") == Run, rows.OuterXml);
        try
        {
            Call("Fetch_Details", 102, Run + "-2", at, at, "Mrs", Text, "F", "34", "", "9845012345", "", 1);
            Report("Fetch_Details", "refusal", false, "no exception");
        }
#if WCF
        catch (FaultException fault) { Report("Fetch_Details", "refusal", fault.Message.Contains("already booked"), fault.ToString()); }
#else
        catch (SoapException fault) { Report("Fetch_Details", "refusal", fault.Message.Contains("already booked"), fault.ToString()); }
#endif
        catch (WebException error)
        {
            var response = error.Response as HttpWebResponse;
            Report("Fetch_Details", "refusal", response != null && response.StatusCode == HttpStatusCode.Conflict, error.ToString());
        }

        int id = int.Parse(field("AppointmentID"));
        Returns("Appointment_Status", id, 1);
        Returns("Appointment_Status_Updates", id, 6, at, at, 1);
        Returns("OPAppointmentdetail", 102, at, 1);
        Returns("FB_Push_Details", Run, "12", "", "Nursing", "Tea");
        Returns("Sent_SMS", "9845012345", Run, 0, 1);
        End();
    }
}
