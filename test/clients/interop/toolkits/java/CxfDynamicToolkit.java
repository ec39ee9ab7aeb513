import com.google.gson.JsonObject;
import java.util.*;
import javax.xml.namespace.QName;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.jaxws.endpoint.dynamic.JaxWsDynamicClientFactory;
import org.apache.cxf.message.Message;
import org.apache.cxf.service.model.*;

/** CXF's client without generated sources: it generates and compiles them when it starts. */
public class CxfDynamicToolkit extends Toolkit {
    private final Client client =
            JaxWsDynamicClientFactory.newInstance().createClient(WSDL, new QName(NAMESPACE, "TPWebServices"), new QName(NAMESPACE, PORT));

    @Override
    Object call(String operation, JsonObject values, String logIn) throws Exception {
        client.getRequestContext().put(Message.ENDPOINT_ADDRESS, ENDPOINT);
        BindingOperationInfo found =
                client.getEndpoint().getBinding().getBindingInfo().getOperation(new QName(NAMESPACE, operation)).getUnwrappedOperation();
        List<Object> arguments = new ArrayList<>();
        for (MessagePartInfo part : found.getInput().getMessageParts())
            arguments.add(toType(values.get(part.getConcreteName().getLocalPart()), part.getTypeClass()));
        Object[] results = client.invoke(found, arguments.toArray());
        return results.length == 0 ? null : results[0];
    }

    @Override
    Object faultOf(Throwable e) throws Exception {
        return e instanceof org.apache.cxf.interceptor.Fault && ((org.apache.cxf.interceptor.Fault) e).hasDetails()
                ? ((org.apache.cxf.interceptor.Fault) e).getDetail().getFirstChild()
                : typed(e);
    }

    private static Object typed(Throwable e) throws Exception {
        try {
            return e.getClass().getMethod("getFaultInfo").invoke(e);
        } catch (NoSuchMethodException untyped) {
            return null;
        }
    }
}
