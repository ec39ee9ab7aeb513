// Calls the service with what .NET brings: HttpClient, LINQ to XML and System.Text.Json. SOAP messages are written by hand, answers of the
// forms are read as XML and as JSON.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Xml;
using System.Xml.Linq;

static class HttpClientProgram
{
    static readonly string Transport = Environment.GetEnvironmentVariable("TRANSPORT");
    static readonly string Endpoint = Environment.GetEnvironmentVariable("ENDPOINT");
    static readonly string Run = Environment.GetEnvironmentVariable("RUN");
    static readonly string Text = Environment.GetEnvironmentVariable("TEXT");
    static readonly DateTime Day = DateTime.ParseExact(Environment.GetEnvironmentVariable("DAY"), "yyyy-MM-dd", null);
    static readonly XNamespace Tns = "http://tempuri.org/";
    static readonly XNamespace Soap = Transport == "soap12" ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
    static readonly bool IsSoap = Transport.StartsWith("soap");
    static readonly HttpClient http = new();

    // A parameter with null is left out.
    sealed record Call(string Operation, params (string Name, object Value)[] Parameters);
    sealed record Answer(HttpStatusCode Status, string Body)
    {
        public XElement Root => XElement.Parse(Body);
        public XElement Result => IsSoap ? Root.Descendants().First(element => element.Name.LocalName.EndsWith("Result")) : Root;
    }

    static void Report(string operation, string check, bool ok, string detail) =>
        Console.WriteLine(JsonSerializer.Serialize(new { operation, transport = Transport, check, ok, detail = ok ? "" : detail }));

    static void Expect(string operation, string check, object[] actual, params object[] expected)
    {
        string Shown(object[] values) => string.Join(", ", values.Select(value => value is DateTime time ? time.ToString("o") : value ?? "null"));
        Report(operation, check, Shown(actual) == Shown(expected), Shown(actual) + ", not " + Shown(expected));
    }

    static HttpRequestMessage Request(Call call, string accept)
    {
        HttpRequestMessage request;
        if (IsSoap)
        {
            // LINQ to XML writes a DateTime by its Kind, as XSD has it.
            var parameters = call.Parameters.Where(pair => pair.Value != null).Select(pair => new XElement(Tns + pair.Name, pair.Value));
            var envelope = new XElement(Soap + "Envelope", new XElement(Soap + "Body", new XElement(Tns + call.Operation, parameters)));
            request = new HttpRequestMessage(HttpMethod.Post, Endpoint)
            {
                Content = new StringContent(envelope.ToString(SaveOptions.DisableFormatting), Encoding.UTF8,
                    Transport == "soap12" ? "application/soap+xml" : "text/xml"),
            };
            if (Transport == "soap11") request.Headers.Add("SOAPAction", $"\"{Tns}{call.Operation}\"");
        }
        else
        {
            var form = new FormUrlEncodedContent(call.Parameters.Select(pair => KeyValuePair.Create(pair.Name, pair.Value switch
            {
                DateTime time => XmlConvert.ToString(time, XmlDateTimeSerializationMode.RoundtripKind),
                var value => value?.ToString() ?? "",
            })));
            string address = $"{Endpoint}/{call.Operation}";
            request = Transport == "httpGet"
                ? new HttpRequestMessage(HttpMethod.Get, $"{address}?{form.ReadAsStringAsync().Result}")
                : new HttpRequestMessage(HttpMethod.Post, address) { Content = form };
        }
        if (accept != null) request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(accept));
        return request;
    }

    static Answer Send(Call call, string accept = null)
    {
        using HttpResponseMessage response = http.Send(Request(call, accept));
        return new Answer(response.StatusCode, response.Content.ReadAsStringAsync().Result);
    }

    static XElement Ok(Call call)
    {
        Answer answer = Send(call);
        return answer.Status == HttpStatusCode.OK ? answer.Result : throw new InvalidOperationException($"{answer.Status} {answer.Body}");
    }

    static string Field(XElement result, string name) => (string)result.Element(Tns + name);
    static object[] Fields(XElement result, params string[] names) => names.Select(name => (object)Field(result, name)).ToArray();
    static DateTime Time(XElement result, string name) => (DateTime)result.Element(Tns + name);

    // In SOAP the ServiceFault, on the forms the status with the result or one sentence.
    static void ExpectFault(string check, Call call, string code, int resultCode, string parameter, HttpStatusCode formStatus)
    {
        Answer answer = Send(call);
        if (IsSoap)
        {
            XElement fault = answer.Root.Descendants(Tns + "ServiceFault").First();
            Expect(call.Operation, check, Fields(fault, "Code", "ResultCode", "Parameter"), code, resultCode == 0 ? null : resultCode.ToString(), parameter);
        }
        else
        {
            string wanted = resultCode == 0 ? $"Parameter {parameter}:" : $"<ResultCode>{resultCode}</ResultCode>";
            Report(call.Operation, check, answer.Status == formStatus && answer.Body.Contains(wanted), $"{answer.Status} {answer.Body}");
            JsonElement json = JsonDocument.Parse(Send(call, "application/json").Body).RootElement;
            bool ok = resultCode == 0 ? json.GetProperty("status").GetInt32() == (int)formStatus : json.GetProperty("ResultCode").GetInt32() == resultCode;
            Report(call.Operation, $"{check} as JSON", ok, json.ToString());
        }
    }

    static Call Booking(DateTime at, string number, string name, string phone) => new("Fetch_Details", ("DoctorID", 102),
        ("RegistrationNumber", number), ("app_date", at), ("app_time", at), ("title", "Mrs"), ("Name", name), ("Sex", "F"), ("Age", "34"),
        ("area", null), ("contactnumber", phone), ("email", "asha@example.org"), ("centerid", 1));

    static void Main()
    {
        XElement doctors = Ok(new Call("GetDoctor", ("centerid", 1)));
        XElement asha = doctors.Descendants(Tns + "Doctor").First(doctor => Field(doctor, "DoctorID") == "101");
        Expect("GetDoctor", "values", [Field(doctors, "ResultCode"), doctors.Descendants(Tns + "Doctor").Count(), Field(asha, "DoctorName")],
            0, 10, "Dr. Asha Rao");
        ExpectFault("refusal", new Call("GetDoctor", ("centerid", 9)), "Refused", 11, "centerid", HttpStatusCode.NotFound);

        XElement first = Ok(Booking(Day, $"{Run}-1", Text, "9845012345"));
        Expect("Fetch_Details", "values", Fields(first, "ResultCode", "Status", "RegistrationNumber"), "0", "2", $"{Run}-1");
        Expect("Fetch_Details", "midnight", [Time(first, "app_time")], Day);
        XElement again = Ok(Booking(Day, $"{Run}-1", Text, "9845012345"));
        Expect("Fetch_Details", "sent again", Fields(again, "ResultCode", "AppointmentID"), "1", Field(first, "AppointmentID"));
        ExpectFault("refusal", Booking(Day, $"{Run}-2", "Ravi", "9845012346"), "Refused", 14, null, HttpStatusCode.Conflict);
        ExpectFault("bad value", Booking(Day, new string('x', 51), "Ravi", "9845012346"), "InvalidValue", 0, "RegistrationNumber", HttpStatusCode.BadRequest);
        // Of Kind Unspecified a DateTime is wall time, of Utc it goes with Z, of Local with this machine's offset. The center's is +05:30.
        DateTime nine = Day.AddHours(9), utc = new(Day.AddHours(3.5).Ticks, DateTimeKind.Utc);
        foreach (DateTime at in new[] { nine, utc.AddHours(1), utc.AddHours(2).ToLocalTime() })
        {
            XElement booked = Ok(Booking(at, $"{Run}-{at.Kind}", $"Ravi {at.Kind}", "9845012348"));
            DateTime wall = at.Kind == DateTimeKind.Unspecified ? nine : nine.AddHours(at.Kind == DateTimeKind.Utc ? 1 : 2);
            Expect("Fetch_Details", $"a DateTime of Kind {at.Kind}", [Field(booked, "ResultCode"), Time(booked, "app_time")], 0, wall);
        }

        int id = (int)first.Element(Tns + "AppointmentID");
        XElement state = Ok(new Call("Appointment_Status", ("AppointmentID", id), ("centerid", 1)));
        Expect("Appointment_Status", "values", Fields(state, "DoctorID", "Status", "StatusText"), "102", "2", "Booked");
        ExpectFault("refusal", new Call("Appointment_Status", ("AppointmentID", 999999), ("centerid", 1)), "Refused", 20, "AppointmentID", HttpStatusCode.NotFound);

        DateTime moved = Day.AddHours(23.5);
        Call Change(int type, DateTime to) =>
            new("Appointment_Status_Updates", ("AppointmentID", id), ("type", type), ("appdate", to), ("apptime", to), ("centerid", 1));
        XElement change = Ok(Change(1, moved));
        Expect("Appointment_Status_Updates", "values", [Field(change, "Changed"), Field(change, "PreviousStatus"), Time(change, "apptime")], "true", 2, moved);

        var list = new Call("OPAppointmentdetail", ("doctorid", 102), ("appdate", Day), ("centerid", 1));
        XElement day = Ok(list);
        XElement[] rows = day.Descendants(Tns + "Appointment").ToArray();
        Expect("OPAppointmentdetail", "values", [Field(day, "TotalCount"), Time(rows[0], "apptime"), Time(rows[^1], "apptime")], 4, nine, moved);
        Expect("OPAppointmentdetail", "markup and Unicode", [Field(rows[^1], "Name")], Text);
        if (!IsSoap)
        {
            JsonElement json = JsonDocument.Parse(Send(list, "application/json").Body).RootElement;
            JsonElement last = json.GetProperty("Appointments").GetProperty("Appointment")[3];
            Expect("OPAppointmentdetail", "JSON", [json.GetProperty("TotalCount").GetInt32(), last.GetProperty("Name").GetString(),
                last.GetProperty("apptime").GetDateTime()], 4, Text, moved);
        }

        // A list leaves out what is cancelled.
        Expect("Appointment_Status_Updates", "unset dates", Fields(Ok(Change(6, new DateTime())), "Changed", "StatusText"), "true", "Cancelled");

        var feedback = new Call("FB_Push_Details", ("ipno", Run), ("roomno", "12"), ("moblieno", ""), ("dept", "Nursing"), ("needsimprovementcommit", Text));
        XElement receipt = Ok(feedback);
        Expect("FB_Push_Details", "values", [Field(receipt, "ResultCode"), Time(receipt, "ReceivedOn").Kind], 0, DateTimeKind.Unspecified);
        Expect("FB_Push_Details", "sent again", Fields(Ok(feedback), "ResultCode", "FeedbackID"), "1", Field(receipt, "FeedbackID"));

        var message = new Call("Sent_SMS", ("Mobileno", "9845012345"), ("Message", Run + Text), ("tempid", 0), ("SMSmode", 1));
        Expect("Sent_SMS", "values", Fields(Ok(message), "ResultCode", "Mobileno", "Encoding", "Segments"), "0", "+919845012345", "UCS-2", "1");
        ExpectFault("refusal", new Call("Sent_SMS", ("Mobileno", "12"), ("Message", Text), ("tempid", 0), ("SMSmode", 1)), "Refused", 30, "Mobileno",
            HttpStatusCode.UnprocessableEntity);
    }
}
