// Logs in through a proxy that wsdl generated in the namespace Proxy, by HTTP Basic, API key and client certificate. Compiled once a proxy,
// with FORM for those of the HTTP forms, whose parameters are texts.
using System;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Web.Services.Protocols;
using static Checks;

// Adds HTTP headers to each request.
class Service : Proxy.TPWebServices
{
    public readonly WebHeaderCollection Headers = new WebHeaderCollection();

    protected override WebRequest GetWebRequest(Uri address)
    {
        WebRequest request = base.GetWebRequest(address);
        request.Headers.Add(Headers);
        return request;
    }
}

static class AccessClient
{
    static readonly string User = Environment.GetEnvironmentVariable("BASIC_USER");
    static readonly string Password = Environment.GetEnvironmentVariable("PASSWORD");

    // `wanted` is the number of doctors, or a text of the exception.
    static void Check(string check, string wanted, Action<HttpWebClientProtocol> logIn)
    {
        var proxy = new Service();
        proxy.Url = Environment.GetEnvironmentVariable("ENDPOINT");
        // A connection is used again only by who logs in in the same way.
        proxy.ConnectionGroupName = check;
        logIn(proxy);
        string found;
        try
        {
#if FORM
            found = proxy.GetDoctor("1").Doctors.Length.ToString();
#else
            found = proxy.GetDoctor(1).Doctors.Length.ToString();
#endif
        }
        catch (WebException e)
        {
            var response = e.Response as HttpWebResponse;
            found = (response == null ? "" : (int)response.StatusCode + " ") + e.Message;
        }
        Report("GetDoctor", check, wanted == "10" ? found == wanted : found.Contains(wanted), found);
    }

    static Action<HttpWebClientProtocol> Basic(string password, bool early)
    {
        return proxy =>
        {
            proxy.Credentials = new NetworkCredential(User, password);
            proxy.PreAuthenticate = early;
        };
    }

    static void Main()
    {
        var issuer = new X509Certificate2(Environment.GetEnvironmentVariable("CA"));
        ServicePointManager.ServerCertificateValidationCallback = (sender, certificate, chain, errors) => certificate.Issuer == issuer.Subject;
        Check("HTTP Basic", "10", Basic(Password, false));
        Check("HTTP Basic, sent early", "10", Basic(Password, true));
        Check("HTTP Basic, wrong", "401", Basic(Password + "x", false));
        Check("API key", "10", proxy => ((Service)proxy).Headers["X-API-Key"] = Environment.GetEnvironmentVariable("API_KEY"));
        Check("nothing", "401", proxy => {});
        Check("certificate", "10", proxy =>
            proxy.ClientCertificates.Add(new X509Certificate2(Environment.GetEnvironmentVariable("CLIENT_P12"), Password)));
        End();
    }
}
