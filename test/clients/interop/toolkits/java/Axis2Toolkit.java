import com.google.gson.JsonObject;
import java.lang.reflect.*;
import java.util.*;
import org.apache.axis2.client.*;
import org.apache.axis2.kernel.http.HTTPConstants;
import org.apache.http.impl.client.HttpClients;

/** The stub that Axis2's WSDL2Java generated in the package proxy, with ADB. It has an overload for each operation, by its request. */
public class Axis2Toolkit extends Toolkit {
    @Override
    Object call(String operation, JsonObject values, String logIn) throws Exception {
        Object stub = Class.forName("proxy.TPWebServicesStub").getConstructor(String.class).newInstance(ENDPOINT);
        ((Stub) stub)._getServiceClient().getOptions().setProperty(HTTPConstants.CHUNKED, false);
        logIn((Stub) stub, logIn);
        for (Method method : stub.getClass().getMethods()) {
            if (!plain(operation).equals(plain(method.getName())) || method.getParameterCount() != 1) continue;
            Object response = method.invoke(stub, request(method.getParameterTypes()[0], values));
            return response == null ? null : result(response);
        }
        throw new Exception("the stub has no " + operation);
    }

    Object request(Class<?> type, JsonObject values) throws Exception {
        return fill(type.getDeclaredConstructor().newInstance(), values);
    }

    private static void logIn(Stub stub, String logIn) throws Exception {
        Options options = stub._getServiceClient().getOptions();
        // The only one that uses the system's settings of TLS.
        if (logIn.equals("certificate")) {
            options.setProperty(HTTPConstants.REUSE_HTTP_CLIENT, true);
            options.setProperty(HTTPConstants.CACHED_HTTP_CLIENT, HttpClients.createSystem());
        }
        if (logIn.equals("Basic")) {
            var login = new org.apache.axis2.transport.http.impl.httpclient4.HttpTransportPropertiesImpl.Authenticator();
            login.setUsername(System.getenv("BASIC_USER"));
            login.setPassword(System.getenv("PASSWORD"));
            login.setPreemptiveAuthentication(true);
            options.setProperty(HTTPConstants.AUTHENTICATE, login);
        }
        if (logIn.equals("API key"))
            options.setProperty(HTTPConstants.HTTP_HEADERS, Map.of("X-API-Key", System.getenv("API_KEY")));
        if (logIn.startsWith("UsernameToken")) throw new Lacks("Axis2 leaves it to Rampart");
    }

    /** What is in the response element. */
    Object result(Object response) throws Exception {
        for (Method method : response.getClass().getMethods())
            if (method.getName().matches("get\\w+Result") && method.getParameterCount() == 0) return method.invoke(response);
        return null;
    }

    @Override
    Object faultOf(Throwable e) throws Exception {
        try {
            Object message = e.getClass().getMethod("getFaultMessage").invoke(e);
            return message.getClass().getMethod("getServiceFault").invoke(message);
        } catch (NoSuchMethodException untyped) {
            return null;
        }
    }
}
