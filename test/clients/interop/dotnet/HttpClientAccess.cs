// Logs in with HttpClient: by HTTP Basic, API key and client certificate. The machine trusts the issuer of the service's certificate.
using System;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;

static class HttpClientAccess
{
    static readonly string Transport = Environment.GetEnvironmentVariable("TRANSPORT");
    static readonly string Endpoint = Environment.GetEnvironmentVariable("ENDPOINT");
    static readonly string User = Environment.GetEnvironmentVariable("BASIC_USER");
    static readonly string Password = Environment.GetEnvironmentVariable("PASSWORD");

    static HttpRequestMessage Request()
    {
        if (Transport == "httpGet") return new HttpRequestMessage(HttpMethod.Get, Endpoint + "/GetDoctor?centerid=1");
        if (Transport == "httpPost")
            return new HttpRequestMessage(HttpMethod.Post, Endpoint + "/GetDoctor") { Content = new FormUrlEncodedContent([new("centerid", "1")]) };
        bool isNew = Transport == "soap12";
        string soap = isNew ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
        string envelope =
            $"<s:Envelope xmlns:s=\"{soap}\"><s:Body><GetDoctor xmlns=\"http://tempuri.org/\"><centerid>1</centerid></GetDoctor></s:Body></s:Envelope>";
        return new HttpRequestMessage(HttpMethod.Post, Endpoint)
        {
            Content = new StringContent(envelope, Encoding.UTF8, isNew ? "application/soap+xml" : "text/xml"),
        };
    }

    static void Check(string check, HttpStatusCode wanted, SocketsHttpHandler handler, string apiKey = null)
    {
        using var http = new HttpClient(handler);
        using HttpRequestMessage request = Request();
        if (apiKey != null) request.Headers.Add("X-API-Key", apiKey);
        using HttpResponseMessage response = http.Send(request);
        string body = response.Content.ReadAsStringAsync().Result;
        bool ok = response.StatusCode == wanted && (wanted != HttpStatusCode.OK || body.Contains("Dr. Asha Rao"));
        string detail = ok ? "" : $"{response.StatusCode} {body}";
        Console.WriteLine(JsonSerializer.Serialize(new { operation = "GetDoctor", transport = Transport, check, ok, detail }));
    }

    static SocketsHttpHandler Basic(string password) => new() { Credentials = new NetworkCredential(User, password), PreAuthenticate = true };

    static void Main()
    {
        string key = Environment.GetEnvironmentVariable("API_KEY");
        Check("HTTP Basic", HttpStatusCode.OK, Basic(Password));
        Check("HTTP Basic, wrong", HttpStatusCode.Unauthorized, Basic(Password + "x"));
        Check("API key", HttpStatusCode.OK, new SocketsHttpHandler(), key);
        Check("API key, wrong", HttpStatusCode.Unauthorized, new SocketsHttpHandler(), key + "x");
        var certificate = X509CertificateLoader.LoadPkcs12FromFile(Environment.GetEnvironmentVariable("CLIENT_P12"), Password);
        Check("certificate", HttpStatusCode.OK, new SocketsHttpHandler { SslOptions = { ClientCertificates = [certificate] } });
        Check("nothing", HttpStatusCode.Unauthorized, new SocketsHttpHandler());
    }
}
