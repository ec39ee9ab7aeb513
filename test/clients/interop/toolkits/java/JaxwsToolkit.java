import com.google.gson.JsonObject;
import java.lang.reflect.*;
import java.net.URL;
import java.util.*;
import javax.jws.*;
import javax.xml.ws.BindingProvider;
import javax.xml.ws.handler.MessageContext;

/** The proxy that wsimport or CXF's wsdl2java generated in the package proxy. Compiled with jakarta in the place of javax, too. */
public class JaxwsToolkit extends Toolkit {
    private Object port;

    Object port() throws Exception {
        Object service = Class.forName("proxy.TPWebServices").getConstructor(URL.class).newInstance(new URL(WSDL));
        return service.getClass().getMethod("get" + PORT).invoke(service);
    }

    void token(Object port, boolean isDigest) throws Exception {
        throw new Lacks("JAX-WS has no UsernameToken of its own: the guide adds one by a SOAPHandler");
    }

    Object invoke(Method method, Object[] values, String operation) throws Exception {
        return method.invoke(port, values);
    }

    @Override
    Object call(String operation, JsonObject values, String logIn) throws Exception {
        if (port == null || System.getenv("CA") != null) port = logIn(logIn);
        for (Method method : Class.forName("proxy.TPWebServicesSoap").getMethods()) {
            if (!plain(operation).equals(plain(method.getName()))) continue;
            Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                WebParam parameter = (WebParam) method.getParameterAnnotations()[i][0];
                arguments[i] = toType(values.get(parameter.name()), method.getParameterTypes()[i]);
            }
            return invoke(method, arguments, operation);
        }
        throw new Exception("the proxy has no " + operation);
    }

    private Object logIn(String logIn) throws Exception {
        Object port = port();
        if (!(port instanceof BindingProvider)) return port;
        Map<String, Object> context = ((BindingProvider) port).getRequestContext();
        context.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, ENDPOINT);
        if (logIn.equals("Basic")) {
            context.put(BindingProvider.USERNAME_PROPERTY, System.getenv("BASIC_USER"));
            context.put(BindingProvider.PASSWORD_PROPERTY, System.getenv("PASSWORD"));
        }
        if (logIn.equals("API key"))
            // CXF adds to the map over SOAP 1.2.
            context.put(MessageContext.HTTP_REQUEST_HEADERS, new HashMap<>(Map.of("X-API-Key", List.of(System.getenv("API_KEY")))));
        if (logIn.startsWith("UsernameToken")) token(port, logIn.endsWith("digest"));
        return port;
    }

    @Override
    Object faultOf(Throwable e) throws Exception {
        try {
            return e.getClass().getMethod("getFaultInfo").invoke(e);
        } catch (NoSuchMethodException untyped) {
            return null;
        }
    }
}
