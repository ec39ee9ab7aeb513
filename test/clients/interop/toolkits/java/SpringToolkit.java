import com.google.gson.JsonObject;
import jakarta.xml.bind.JAXBElement;
import java.lang.reflect.Method;
import org.springframework.oxm.jaxb.Jaxb2Marshaller;
import org.springframework.ws.client.core.WebServiceTemplate;
import org.springframework.ws.client.support.interceptor.ClientInterceptor;
import org.springframework.ws.soap.*;
import org.springframework.ws.soap.client.SoapFaultClientException;
import org.springframework.ws.soap.client.core.SoapActionCallback;
import org.springframework.ws.soap.saaj.SaajSoapMessageFactory;
import org.springframework.ws.soap.security.wss4j2.Wss4jSecurityInterceptor;

/** Spring-WS with the classes that xjc made of the WSDL's schema in the package proxy. */
public class SpringToolkit extends Toolkit {
    private final Jaxb2Marshaller marshaller = new Jaxb2Marshaller();

    public SpringToolkit() {
        marshaller.setContextPath("proxy");
    }

    @Override
    Object call(String operation, JsonObject values, String logIn) throws Exception {
        SaajSoapMessageFactory messages = new SaajSoapMessageFactory();
        messages.setSoapVersion(IS_SOAP12 ? SoapVersion.SOAP_12 : SoapVersion.SOAP_11);
        messages.afterPropertiesSet();
        WebServiceTemplate template = new WebServiceTemplate(messages);
        template.setMarshaller(marshaller);
        template.setUnmarshaller(marshaller);
        if (logIn.startsWith("UsernameToken")) template.setInterceptors(new ClientInterceptor[] {token(logIn.endsWith("digest"))});
        else if (!logIn.isEmpty() && !logIn.equals("nothing") && !logIn.equals("certificate"))
            throw new Lacks("Spring-WS leaves it to the program's HTTP client");
        Object request = Class.forName("proxy." + operation.replace("_", "")).getDeclaredConstructor().newInstance();
        Object response = template.marshalSendAndReceive(ENDPOINT, fill(request, values), new SoapActionCallback(NAMESPACE + operation));
        for (Method method : response.getClass().getMethods())
            if (method.getName().matches("get\\w+Result")) return method.invoke(response);
        return null;
    }

    private static Wss4jSecurityInterceptor token(boolean isDigest) throws Exception {
        Wss4jSecurityInterceptor security = new Wss4jSecurityInterceptor();
        security.setSecurementActions("UsernameToken");
        security.setSecurementUsername(System.getenv("TOKEN_USER"));
        security.setSecurementPassword(System.getenv("PASSWORD"));
        security.setSecurementPasswordType(isDigest ? "PasswordDigest" : "PasswordText");
        security.setValidateResponse(false);
        security.afterPropertiesSet();
        return security;
    }

    @Override
    Object faultOf(Throwable e) throws Exception {
        if (!(e instanceof SoapFaultClientException)) return null;
        SoapFaultDetail detail = ((SoapFaultClientException) e).getSoapFault().getFaultDetail();
        Object fault = marshaller.unmarshal(detail.getDetailEntries().next().getSource());
        return fault instanceof JAXBElement ? ((JAXBElement<?>) fault).getValue() : fault;
    }
}
