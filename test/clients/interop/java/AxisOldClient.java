import java.text.SimpleDateFormat;
import java.util.Calendar;
import org.apache.axis.AxisFault;
import proxy.*;

/**
 * A program made for the old WSDL with Axis 1.4, whose proxy takes any content of an answer for an error. The service runs with
 * RESULTS=none, and its first appointment has the number 1.
 */
public final class AxisOldClient {
    public static void main(String[] args) throws Exception {
        TPWebServicesSoap_PortType port = new TPWebServicesLocator().getTPWebServicesSoap(new java.net.URL(Checks.ENDPOINT));
        Calendar at = Calendar.getInstance();
        at.setTime(new SimpleDateFormat("yyyy-MM-dd").parse(Checks.DAY));
        Checks.Call booking = () -> {
            port.fetch_Details(102, Checks.RUN, at, at, "Mrs", "Asha", "F", "34", "", "9845012345", "", 1);
            return null;
        };
        Checks.returns("GetDoctor", () -> { port.getDoctor(1); return null; });
        Checks.returns("Fetch_Details", booking);
        Checks.returns("Fetch_Details", booking);
        try {
            port.fetch_Details(102, Checks.RUN + "-2", at, at, "Mrs", "Meera", "F", "34", "", "9845012346", "", 1);
            Checks.report("Fetch_Details", "refusal", false, "no exception");
        } catch (AxisFault fault) {
            Checks.report("Fetch_Details", "refusal", fault.getFaultString().contains("already booked"), fault);
        }
        Checks.returns("Appointment_Status", () -> { port.appointment_Status(1, 1); return null; });
        Checks.returns("Appointment_Status_Updates", () -> { port.appointment_Status_Updates(1, 6, at, at, 1); return null; });
        Checks.returns("OPAppointmentdetail", () -> { port.OPAppointmentdetail(102, at, 1); return null; });
        Checks.returns("FB_Push_Details", () -> { port.FB_Push_Details(Checks.RUN, "12", "", "Nursing", "Tea"); return null; });
        Checks.returns("Sent_SMS", () -> { port.sent_SMS("9845012345", Checks.RUN, 0, 1); return null; });
    }
}
