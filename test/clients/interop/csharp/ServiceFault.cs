using System.Runtime.Serialization;

// The detail of a fault, as Microsoft's svcutil generates it from the WSDL's wsdl:fault; Mono's leaves faults out.
[DataContract(Name = "ServiceFault", Namespace = "http://tempuri.org/")]
public sealed class ServiceFault
{
    [DataMember(Order = 0, IsRequired = true)]
    public string Code { get; set; }
    [DataMember(Order = 1, EmitDefaultValue = false)]
    public int ResultCode { get; set; }
    [DataMember(Order = 2, IsRequired = true)]
    public string Message { get; set; }
    [DataMember(Order = 3, EmitDefaultValue = false)]
    public string Parameter { get; set; }
    [DataMember(Order = 4, IsRequired = true)]
    public string CorrelationId { get; set; }
}
