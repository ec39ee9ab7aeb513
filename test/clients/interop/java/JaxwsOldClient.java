import java.net.URL;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.ws.BindingProvider;
import javax.xml.ws.soap.SOAPFaultException;
import org.w3c.dom.Document;
import proxy.*;

/** A program made for the old WSDL, in which every operation returns nothing. It is not changed for this service but for its address. */
public final class JaxwsOldClient {
    public static void main(String[] args) throws Exception {
        TPWebServices service = new TPWebServices();
        TPWebServicesSoap port = Checks.TRANSPORT.equals("soap12") ? service.getTPWebServicesSoap12() : service.getTPWebServicesSoap();
        ((BindingProvider) port).getRequestContext().put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, Checks.ENDPOINT);
        XMLGregorianCalendar at = DatatypeFactory.newInstance().newXMLGregorianCalendar(Checks.DAY + "T00:00:00");
        Checks.Call booking = () -> {
            port.fetchDetails(102, Checks.RUN, at, at, "Mrs", Checks.TEXT, "F", "34", "", "9845012345", "", 1);
            return null;
        };
        Checks.returns("GetDoctor", () -> { port.getDoctor(1); return null; });
        Checks.returns("Fetch_Details", booking);
        Document rows = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(
                new URL(Checks.ENDPOINT + "/OPAppointmentdetail?doctorid=102&centerid=1&appdate=" + Checks.DAY).openStream());
        Checks.expect("Fetch_Details", "is booked", Checks.values(field(rows, "Name"), field(rows, "apptime"), field(rows, "RegistrationNumber")),
                Checks.TEXT, Checks.DAY + "T00:00:00", Checks.RUN);
        try {
            port.fetchDetails(102, Checks.RUN + "-2", at, at, "Mrs", Checks.TEXT, "F", "34", "", "9845012345", "", 1);
            Checks.report("Fetch_Details", "refusal", false, "no exception");
        } catch (SOAPFaultException e) {
            Checks.report("Fetch_Details", "refusal", e.getMessage().contains("already booked"), e);
        }
        int id = Integer.parseInt(field(rows, "AppointmentID"));
        Checks.returns("Appointment_Status", () -> { port.appointmentStatus(id, 1); return null; });
        Checks.returns("Appointment_Status_Updates", () -> { port.appointmentStatusUpdates(id, 6, at, at, 1); return null; });
        Checks.returns("OPAppointmentdetail", () -> { port.opAppointmentdetail(102, at, 1); return null; });
        Checks.returns("FB_Push_Details", () -> { port.fbPushDetails(Checks.RUN, "12", "", "Nursing", "Tea"); return null; });
        Checks.returns("Sent_SMS", () -> { port.sentSMS("9845012345", Checks.RUN, 0, 1); return null; });
    }

    private static String field(Document document, String name) {
        return document.getElementsByTagName(name).item(0).getTextContent();
    }

    private JaxwsOldClient() {}
}
