import java.io.FileInputStream;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.xml.ws.BindingProvider;
import proxy.*;

/** Logs in through the proxy that wsimport generated, by HTTP Basic and by a client certificate. */
public final class JaxwsAccessClient {
    private static final String PASSWORD = System.getenv("PASSWORD");
    /** The name that the reference implementation gives it; the one inside the JDK had another. */
    private static final String SOCKET_FACTORY = "com.sun.xml.ws.transport.https.client.SSLSocketFactory";

    private interface LogIn {
        void prepare(Map<String, Object> context) throws Exception;
    }

    private static SSLSocketFactory sockets(boolean withCertificate) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore issuers = KeyStore.getInstance("PKCS12");
        issuers.load(null, null);
        try (FileInputStream file = new FileInputStream(System.getenv("CA"))) {
            issuers.setCertificateEntry("ca", java.security.cert.CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        trust.init(issuers);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(System.getenv("CLIENT_P12"))) {
            own.load(file, PASSWORD.toCharArray());
        }
        keys.init(own, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(withCertificate ? keys.getKeyManagers() : null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    private static String call(boolean withCertificate, LogIn logIn) throws Exception {
        // With the WSDL that the proxy was made from, since the proxy's own address of it needs the issuer, too.
        TPWebServices service = new TPWebServices(new java.io.File("service.wsdl").toURI().toURL());
        TPWebServicesSoap port = Checks.TRANSPORT.equals("soap12") ? service.getTPWebServicesSoap12() : service.getTPWebServicesSoap();
        Map<String, Object> context = ((BindingProvider) port).getRequestContext();
        context.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, Checks.ENDPOINT);
        context.put(SOCKET_FACTORY, sockets(withCertificate));
        logIn.prepare(context);
        try {
            return String.valueOf(port.getDoctor(1).getDoctors().getDoctor().size());
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static LogIn basic(String password) {
        return context -> {
            context.put(BindingProvider.USERNAME_PROPERTY, System.getenv("BASIC_USER"));
            context.put(BindingProvider.PASSWORD_PROPERTY, password);
        };
    }

    public static void main(String[] args) throws Exception {
        Checks.expect("GetDoctor", "HTTP Basic", Checks.values(call(false, basic(PASSWORD))), "10");
        String wrong = call(false, basic(PASSWORD + "x"));
        Checks.report("GetDoctor", "HTTP Basic, wrong", wrong.contains("401"), wrong);
        String nothing = call(false, context -> {});
        Checks.report("GetDoctor", "nothing", nothing.contains("401"), nothing);
        Checks.expect("GetDoctor", "certificate", Checks.values(call(true, context -> {})), "10");
    }

    private JaxwsAccessClient() {}
}
