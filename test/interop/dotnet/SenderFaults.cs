using System;
using System.Net;
using System.Net.Http;
using System.ServiceModel.Channels;
using System.ServiceModel.Description;
using System.ServiceModel.Dispatcher;
using System.Threading;
using System.Threading.Tasks;

// WCF reads a fault only from an answer of status 500. Faults of the sender come with 400 in SOAP 1.2 (part 2, 7.5.2.2), as from ASMX: without
// this behavior they are a ProtocolException without the fault.
public sealed class SenderFaults : IEndpointBehavior
{
    sealed class Handler : DelegatingHandler
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancelled)
        {
            HttpResponseMessage response = await base.SendAsync(request, cancelled);
            bool isSoap = response.Content.Headers.ContentType?.MediaType == "application/soap+xml";
            if (isSoap && response.StatusCode == HttpStatusCode.BadRequest) response.StatusCode = HttpStatusCode.InternalServerError;
            return response;
        }
    }

    public void AddBindingParameters(ServiceEndpoint endpoint, BindingParameterCollection parameters) =>
        parameters.Add(new Func<HttpClientHandler, HttpMessageHandler>(inner => new Handler { InnerHandler = inner }));
    public void ApplyClientBehavior(ServiceEndpoint endpoint, ClientRuntime runtime) { }
    public void ApplyDispatchBehavior(ServiceEndpoint endpoint, EndpointDispatcher dispatcher) { }
    public void Validate(ServiceEndpoint endpoint) { }
}
