import com.google.gson.JsonObject;
import java.util.*;
import javax.xml.soap.*;

/** Envelopes by hand, with SAAJ. Compiled with jakarta in the place of javax, too. */
public class SaajToolkit extends Toolkit {
    private static final class Refused extends Exception {
        final transient Detail detail;

        Refused(SOAPFault fault) {
            super(fault.getFaultString());
            detail = fault.getDetail();
        }
    }

    @Override
    Object call(String operation, JsonObject values, String logIn) throws Exception {
        SOAPMessage message =
                MessageFactory.newInstance(IS_SOAP12 ? SOAPConstants.SOAP_1_2_PROTOCOL : SOAPConstants.SOAP_1_1_PROTOCOL).createMessage();
        message.getMimeHeaders().setHeader("SOAPAction", '"' + NAMESPACE + operation + '"');
        if (logIn.startsWith("Basic")) {
            String login = System.getenv("BASIC_USER") + ":" + System.getenv("PASSWORD") + logIn.substring(5);
            message.getMimeHeaders().setHeader("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes("UTF-8")));
        }
        if (logIn.equals("API key")) message.getMimeHeaders().setHeader("X-API-Key", System.getenv("API_KEY"));
        if (logIn.startsWith("UsernameToken")) throw new Lacks("SAAJ has no UsernameToken of its own");
        SOAPElement element = message.getSOAPBody().addChildElement(operation, "", NAMESPACE);
        for (String name : values.keySet())
            if (!values.get(name).isJsonNull()) element.addChildElement(name).addTextNode(values.get(name).getAsString());
        SOAPBody body = SOAPConnectionFactory.newInstance().createConnection().call(message, ENDPOINT).getSOAPBody();
        if (body.hasFault()) throw new Refused(body.getFault());
        return body.getFirstChild().getFirstChild();
    }

    @Override
    Object faultOf(Throwable e) {
        return e instanceof Refused && ((Refused) e).detail != null ? ((Refused) e).detail.getFirstChild() : null;
    }
}
