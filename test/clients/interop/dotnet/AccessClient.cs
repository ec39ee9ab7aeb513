// Logs in through a proxy that dotnet-svcutil generated in the namespace Proxy: by HTTP Basic, API key, client certificate and UsernameToken.
// The machine trusts the issuer of the service's certificate.
using System;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.Text;
using System.Text.Json;
using Proxy;

static class AccessClient
{
    static readonly string Transport = Environment.GetEnvironmentVariable("TRANSPORT");
    static readonly string Password = Environment.GetEnvironmentVariable("PASSWORD");

    static Binding HttpsBinding(AuthenticationSchemes scheme, SecurityBindingElement token = null, bool certificate = false)
    {
        EnvelopeVersion envelope = Transport == "soap12" ? EnvelopeVersion.Soap12 : EnvelopeVersion.Soap11;
        var version = MessageVersion.CreateVersion(envelope, AddressingVersion.None);
        var https = new HttpsTransportBindingElement { AuthenticationScheme = scheme, RequireClientCertificate = certificate };
        var encoding = new TextMessageEncodingBindingElement(version, Encoding.UTF8);
        return token == null ? new CustomBinding(encoding, https) : new CustomBinding(token, encoding, https);
    }

    static Binding TokenBinding()
    {
        var token = SecurityBindingElement.CreateUserNameOverTransportBindingElement();
        // The service answers without a Security header.
        token.EnableUnsecuredResponse = true;
        return HttpsBinding(AuthenticationSchemes.Anonymous, token);
    }

    // `wanted` is the number of doctors, or a text of the exception.
    static void Check(string check, string wanted, Binding binding, Action<TPWebServicesSoapClient> logIn, string apiKey = null)
    {
        var client = new TPWebServicesSoapClient(binding, new EndpointAddress(Environment.GetEnvironmentVariable("ENDPOINT")));
        logIn(client);
        string found;
        try
        {
            using var scope = new OperationContextScope(client.InnerChannel);
            if (apiKey != null)
            {
                var request = new HttpRequestMessageProperty();
                request.Headers["X-API-Key"] = apiKey;
                OperationContext.Current.OutgoingMessageProperties[HttpRequestMessageProperty.Name] = request;
            }
            found = client.GetDoctor(1).Doctors.Length.ToString();
        }
        catch (Exception e)
        {
            found = e.GetType().Name + ": " + e.Message + (e.InnerException == null ? "" : " " + e.InnerException.Message);
        }
        bool ok = wanted == "10" ? found == wanted : found.Contains(wanted);
        Console.WriteLine(JsonSerializer.Serialize(new { operation = "GetDoctor", transport = Transport, check, ok, detail = ok ? "" : found }));
    }

    static Action<TPWebServicesSoapClient> As(string user, string password) => client =>
    {
        client.ClientCredentials.UserName.UserName = Environment.GetEnvironmentVariable(user);
        client.ClientCredentials.UserName.Password = password;
    };

    static void Main()
    {
        Binding basic = HttpsBinding(AuthenticationSchemes.Basic), anonymous = HttpsBinding(AuthenticationSchemes.Anonymous);
        Check("HTTP Basic", "10", basic, As("BASIC_USER", Password));
        Check("HTTP Basic, wrong", "MessageSecurityException", basic, As("BASIC_USER", Password + "x"));
        Check("API key", "10", anonymous, client => { }, Environment.GetEnvironmentVariable("API_KEY"));
        Check("nothing", "MessageSecurityException", anonymous, client => { });
        Check("certificate", "10", HttpsBinding(AuthenticationSchemes.Anonymous, certificate: true), client =>
            client.ClientCredentials.ClientCertificate.Certificate =
                X509CertificateLoader.LoadPkcs12FromFile(Environment.GetEnvironmentVariable("CLIENT_P12"), Password));
        Check("token with text", "10", TokenBinding(), As("TOKEN_USER", Password));
        Check("wrong text", "could not be authenticated", TokenBinding(), As("TOKEN_USER", Password + "x"));
    }
}
