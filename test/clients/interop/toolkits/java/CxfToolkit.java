import java.util.*;
import javax.xml.ws.BindingProvider;
import javax.security.auth.callback.CallbackHandler;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;
import org.apache.wss4j.common.ext.WSPasswordCallback;

/** CXF's own factory of clients, with WSS4J. */
public class CxfToolkit extends JaxwsToolkit {
    @Override
    Object port() throws Exception {
        JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
        factory.setServiceClass(Class.forName("proxy.TPWebServicesSoap"));
        factory.setAddress(ENDPOINT);
        if (IS_SOAP12) factory.setBindingId("http://www.w3.org/2003/05/soap/bindings/HTTP/");
        return factory.create();
    }

    @Override
    void token(Object port, boolean isDigest) {
        CallbackHandler password = callbacks -> ((WSPasswordCallback) callbacks[0]).setPassword(System.getenv("PASSWORD"));
        Map<String, Object> settings = new HashMap<>();
        settings.put("action", "UsernameToken");
        settings.put("user", System.getenv("TOKEN_USER"));
        settings.put("passwordType", isDigest ? "PasswordDigest" : "PasswordText");
        settings.put("passwordCallbackRef", password);
        ClientProxy.getClient(port).getOutInterceptors().add(new WSS4JOutInterceptor(settings));
    }
}
