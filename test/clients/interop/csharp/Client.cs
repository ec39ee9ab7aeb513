// Calls the service through a proxy that wsdl, svcutil or dotnet-svcutil generated in the namespace Proxy. Compiled once per proxy, with
// FORM for those of the HTTP forms, whose parameters are all texts, and WCF for svcutil's. NET is defined by the .NET of today, which has
// no System.Web.Services.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Reflection;
#if WCF
using System.ServiceModel.Channels;
#endif
using System.Text;
#if NET
using Proxy;
#else
using System.Web.Services.Protocols;
#endif
using System.Xml;
using static Checks;

static class Client
{
    static readonly string Run = Environment.GetEnvironmentVariable("RUN");
    static readonly string Text = Environment.GetEnvironmentVariable("TEXT");
    static readonly DateTime Day = DateTime.ParseExact(Environment.GetEnvironmentVariable("DAY"), "yyyy-MM-dd", null);
    static object proxy;

    // A value of another type is another value.
    static void Expect(string operation, string check, object[] actual, params object[] expected)
    {
        Func<object, string> shown = value => value == null ? "null" : value is DateTime ? ((DateTime)value).ToString("o") : value.ToString();
        Report(operation, check, actual.SequenceEqual(expected),
            string.Join(", ", actual.Select(shown)) + ", not " + string.Join(", ", expected.Select(shown)));
    }

    static object[] Values(params object[] values) { return values; }

    static dynamic Call(string operation, params object[] values)
    {
#if FORM
        values = values.Select(value => value is DateTime ? ((DateTime)value).ToString("s") : value == null ? null : value.ToString()).ToArray();
#endif
        try
        {
            return proxy.GetType().GetMethod(operation).Invoke(proxy, values);
        }
        catch (TargetInvocationException e)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(e.InnerException).Throw();
            throw;
        }
    }

    static string Field(XmlNode detail, string name)
    {
        XmlNode found = detail.SelectSingleNode("//*[local-name()='ServiceFault']/*[local-name()='" + name + "']");
        return found == null ? null : found.InnerText;
    }

    // A fault with its ServiceFault; of a form the status and the body.
    static void ExpectFault(string operation, string check, string code, string resultCode, string parameter, params object[] values)
    {
        try
        {
            Call(operation, values);
            Report(operation, check, false, "no exception");
        }
#if !NET
        catch (SoapException fault)
        {
            Expect(operation, check, Values(Field(fault.Detail, "Code"), Field(fault.Detail, "ResultCode"), Field(fault.Detail, "Parameter")),
                code, resultCode, parameter);
        }
#endif
        catch (WebException error)
        {
            var response = (HttpWebResponse)error.Response;
            if (response == null) throw;
            string body = new StreamReader(response.GetResponseStream()).ReadToEnd();
            string wanted = resultCode == null ? "Parameter " + parameter + ":" : "<ResultCode>" + resultCode + "</ResultCode>";
            Report(operation, check, (int)response.StatusCode >= 400 && (int)response.StatusCode < 500 && body.Contains(wanted),
                (int)response.StatusCode + " " + body);
        }
#if WCF
        catch (System.ServiceModel.FaultException<ServiceFault> fault)
        {
            Expect(operation, check, Values(fault.Detail.Code, fault.Detail.ResultCode, fault.Detail.Parameter),
                code, int.Parse(resultCode ?? "0"), parameter);
        }
#endif
    }

    static object[] Booking(DateTime at, string number, string title, string name, string sex, string age, string area, string phone, string email)
    {
        return Values(102, number, at.Kind == DateTimeKind.Unspecified ? at.Date : at, at, title, name, sex, age, area, phone, email, 1);
    }

    static object[] Full(DateTime at, string number)
    {
        return Booking(at, number, "Mrs", Text, "F", "34", "Indiranagar", "9845012345", "asha@example.org");
    }

    static void Main()
    {
        string endpoint = Environment.GetEnvironmentVariable("ENDPOINT");
#if WCF
        var soap12 = MessageVersion.CreateVersion(System.ServiceModel.EnvelopeVersion.Soap12, AddressingVersion.None);
        Binding binding = Transport == "soap12"
            ? new CustomBinding(new TextMessageEncodingBindingElement(soap12, Encoding.UTF8), new HttpTransportBindingElement())
            : (Binding)new System.ServiceModel.BasicHttpBinding();
        var client = new TPWebServicesSoapClient(binding, new System.ServiceModel.EndpointAddress(endpoint));
#if NET
        var headers = new RequestHeaders();
        client.Endpoint.EndpointBehaviors.Add(headers);
#endif
        proxy = client;
#else
        // The generated proxy has the address of the WSDL.
        proxy = new Proxy.TPWebServices();
        Report("GetDoctor", "address of the WSDL", ((WebClientProtocol)proxy).Url == endpoint, ((WebClientProtocol)proxy).Url);
#endif
        dynamic doctors = Call("GetDoctor", 1);
        dynamic asha = null;
        foreach (dynamic doctor in doctors.Doctors) if (doctor.DoctorID == 101) asha = doctor;
        Expect("GetDoctor", "typed", Values(doctors.ResultCode, doctors.Doctors.Length, asha.DoctorName, asha.SlotMinutes, asha.OPDays),
            0, 10, "Dr. Asha Rao", 15, "Mon-Sat");
        ExpectFault("GetDoctor", "refusal", "Refused", "11", "centerid", 9);

        dynamic first = Call("Fetch_Details", Full(Day, Run + "-1"));
        Expect("Fetch_Details", "typed", Values(first.ResultCode, first.Status, first.TokenNo, first.RegistrationNumber), 0, 2, 1, Run + "-1");
        Expect("Fetch_Details", "midnight", Values(first.app_date, first.app_time), Day, Day);
        dynamic sentAgain = Call("Fetch_Details", Full(Day, Run + "-1"));
        Expect("Fetch_Details", "sent again", Values(sentAgain.ResultCode, sentAgain.AppointmentID), 1, first.AppointmentID);
#if NET
        // With a key, the first answer comes again.
        headers["Idempotency-Key"] = Run;
        object[] withKey = Booking(Day.AddHours(15), Run + "-key", "Mr", "Ravi", "M", "40", "", "9845012349", "");
        dynamic firstAnswer = Call("Fetch_Details", withKey), sameAnswer = Call("Fetch_Details", withKey);
        Expect("Fetch_Details", "Idempotency-Key by a message inspector", Values(sameAnswer.ResultCode, sameAnswer.AppointmentID), 0, firstAnswer.AppointmentID);
        headers.Clear();
        Call("Appointment_Status_Updates", firstAnswer.AppointmentID, 6, new DateTime(), new DateTime(), 1);
#endif
        DateTime late = Day.AddHours(23.75), noon = Day.AddHours(12);
        // In SOAP a null is left out; the proxies of the forms write it as an empty value.
        dynamic second = Call("Fetch_Details", Booking(late, null, null, "Ravi", null, null, null, "9845012346", null));
        Expect("Fetch_Details", "missing strings", Values(second.ResultCode), 0);
        Expect("Fetch_Details", "before midnight", Values(second.ResultCode, second.app_time), 0, late);
        dynamic third = Call("Fetch_Details", Booking(noon, "", "", "Ravi", "", "", "", "9845012347", ""));
        Expect("Fetch_Details", "empty strings", Values(third.ResultCode), 0);
        ExpectFault("Fetch_Details", "refusal", "Refused", "14", null, Full(Day, Run + "-2"));
        ExpectFault("Fetch_Details", "bad value", "InvalidValue", null, "RegistrationNumber", Full(Day, new string('x', 51)));

        dynamic state = Call("Appointment_Status", second.AppointmentID, 1);
        Expect("Appointment_Status", "typed", Values(state.DoctorID, state.Status, state.RescheduleCount, state.apptime), 102, 2, 0, late);
        ExpectFault("Appointment_Status", "refusal", "Refused", "20", "AppointmentID", 999999, 1);

        DateTime moved = Day.AddHours(23.5);
        dynamic change = Call("Appointment_Status_Updates", second.AppointmentID, 1, Day, moved, 1);
        Expect("Appointment_Status_Updates", "typed", Values(change.Changed, change.PreviousStatus, change.apptime), true, 2, moved);
        change = Call("Appointment_Status_Updates", second.AppointmentID, 6, new DateTime(), new DateTime(), 1);
        Expect("Appointment_Status_Updates", "unset dates", Values(change.Changed, change.Status, change.StatusText), true, 6, "Cancelled");

        dynamic day = Call("OPAppointmentdetail", 102, Day, 1);
        Expect("OPAppointmentdetail", "typed",
            Values(day.TotalCount, day.Appointments[0].apptime, day.Appointments[1].apptime, day.Appointments.Length), 2, Day, noon, 2);
        Expect("OPAppointmentdetail", "markup and Unicode", Values(day.Appointments[0].Name), Text);
        Expect("OPAppointmentdetail", "empty strings", Values(day.Appointments[1].Sex, day.Appointments[1].area), "U", null);

#if !FORM
        // Of Kind Unspecified a DateTime is sent as wall time, of Utc with Z, of Local with the offset of this machine's zone. The center's is +05:30.
        DateTime nine = Day.AddHours(9), utc = new DateTime(Day.AddHours(3.5).Ticks, DateTimeKind.Utc);
        foreach (DateTime at in new[] { nine, utc.AddHours(1), utc.AddHours(2).ToLocalTime() })
        {
            dynamic booked = Call("Fetch_Details", Booking(at, Run + at.Kind, "Mr", "Ravi " + at.Kind, "M", "40", "", "9845012348", ""));
            DateTime wall = at.Kind == DateTimeKind.Unspecified ? nine : nine.AddHours(at.Kind == DateTimeKind.Utc ? 1 : 2);
            Expect("Fetch_Details", "a DateTime of Kind " + at.Kind, Values(booked.ResultCode, booked.app_time), 0, wall);
        }
#endif

        dynamic receipt = Call("FB_Push_Details", Run, "12", "", "Nursing", Text);
        Expect("FB_Push_Details", "typed", Values(receipt.ResultCode, receipt.FeedbackID > 0, receipt.ReceivedOn is DateTime), 0, true, true);
        dynamic again = Call("FB_Push_Details", Run, "12", "", "Nursing", Text);
        Expect("FB_Push_Details", "repeated", Values(again.ResultCode, again.FeedbackID), 1, receipt.FeedbackID);
        ExpectFault("FB_Push_Details", "bad value", "InvalidValue", null, "ipno", new string('x', 51), "12", "", "Nursing", Text);

        dynamic message = Call("Sent_SMS", "9845012345", Run + Text, 0, 1);
        Expect("Sent_SMS", "typed", Values(message.ResultCode, message.Mobileno, message.Encoding, message.Segments, message.Status),
            0, "+919845012345", "UCS-2", 1, 1);
        ExpectFault("Sent_SMS", "refusal", "Refused", "30", "Mobileno", "12", Text, 0, 1);
        End();
    }
}
