import com.google.gson.JsonObject;
import javax.xml.soap.*;

/** Envelopes by hand, with SAAJ; the program logs in by hand, too. Compiled with jakarta in the place of javax. */
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
