import java.lang.reflect.Method;
import java.util.*;
import org.apache.camel.*;
import org.apache.camel.impl.DefaultCamelContext;

/** An endpoint of Camel in the place of a port: a route sends the parameters as a list. */
public class CamelToolkit extends JaxwsToolkit {
    private final ProducerTemplate template;

    public CamelToolkit() {
        CamelContext context = new DefaultCamelContext();
        context.start();
        template = context.createProducerTemplate();
    }

    @Override
    Object port() {
        return String.format("cxf:%s?serviceClass=proxy.TPWebServicesSoap&wsdlURL=%s&serviceName={%s}TPWebServices&portName={%s}%s", ENDPOINT,
                WSDL.replace("?", "%3F"), NAMESPACE, NAMESPACE, PORT);
    }

    @Override
    Object invoke(Method method, Object[] values, String operation) throws Exception {
        Exchange exchange = template.request((String) port(), out -> {
            out.getIn().setBody(Arrays.asList(values));
            out.getIn().setHeader("operationName", operation);
        });
        if (exchange.getException() != null) throw exchange.getException();
        return exchange.getMessage().getBody(List.class).get(0);
    }
}
