import java.util.List;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import proxy.*;

/** Calls the service through the proxy that wsimport generated in the package proxy. */
public final class JaxwsClient {
    interface Faulty {
        Object run() throws ServiceFaultMessage;
    }

    private static XMLGregorianCalendar at(String time) throws Exception {
        return DatatypeFactory.newInstance().newXMLGregorianCalendar(Checks.DAY + "T" + time + ":00");
    }

    private static void expectFault(String operation, String check, String code, Integer resultCode, String parameter, Faulty call) {
        try {
            Checks.report(operation, check, false, "no exception but " + call.run());
        } catch (ServiceFaultMessage e) {
            ServiceFault fault = e.getFaultInfo();
            Checks.expect(operation, check, Checks.values(fault.getCode(), fault.getResultCode(), fault.getParameter()),
                    code, resultCode, parameter);
        }
    }

    public static void main(String[] args) throws Exception {
        TPWebServices service = new TPWebServices();
        TPWebServicesSoap port = Checks.TRANSPORT.equals("soap12") ? service.getTPWebServicesSoap12() : service.getTPWebServicesSoap();
        String run = Checks.RUN;
        String text = Checks.TEXT;
        XMLGregorianCalendar midnight = at("00:00");
        XMLGregorianCalendar noon = at("12:00");
        XMLGregorianCalendar late = at("23:45");
        XMLGregorianCalendar moved = at("23:30");

        DoctorList doctors = port.getDoctor(1);
        List<Doctor> list = doctors.getDoctors().getDoctor();
        Doctor asha = list.stream().filter(doctor -> doctor.getDoctorID() == 101).findFirst().get();
        Checks.expect("GetDoctor", "typed",
                Checks.values(doctors.getResultCode(), list.size(), asha.getDoctorName(), asha.getSlotMinutes(), asha.getOPDays()),
                0, 10, "Dr. Asha Rao", 15, "Mon-Sat");
        expectFault("GetDoctor", "refusal", "Refused", 11, "centerid", () -> port.getDoctor(9));

        AppointmentBooking first = port.fetchDetails(102, run + "-1", midnight, midnight, "Mrs", text, "F", "34", "Indiranagar", "9845012345",
                "asha@example.org", 1);
        Checks.expect("Fetch_Details", "typed",
                Checks.values(first.getResultCode(), first.getStatus(), first.getTokenNo(), first.getRegistrationNumber()),
                0, 2, 1, run + "-1");
        Checks.expect("Fetch_Details", "midnight", Checks.values(first.getAppDate(), first.getAppTime()), midnight, midnight);
        AppointmentBooking second = port.fetchDetails(102, null, midnight, late, null, "Ravi", null, null, null, "9845012346", null, 1);
        Checks.expect("Fetch_Details", "missing strings", Checks.values(second.getResultCode(), second.getAppTime()), 0, late);
        AppointmentBooking third = port.fetchDetails(102, "", midnight, noon, "", "Ravi", "", "", "", "9845012347", "", 1);
        Checks.expect("Fetch_Details", "empty strings", Checks.values(third.getResultCode()), 0);
        expectFault("Fetch_Details", "refusal", "Refused", 14, null,
                () -> port.fetchDetails(102, run + "-2", midnight, midnight, "", text, "F", "34", "", "9845012345", "", 1));
        expectFault("Fetch_Details", "missing date", "MissingParameter", null, "app_date",
                () -> port.fetchDetails(102, run, null, midnight, "", text, "F", "34", "", "9845012345", "", 1));

        int id = second.getAppointmentID();
        AppointmentState state = port.appointmentStatus(id, 1);
        Checks.expect("Appointment_Status", "typed",
                Checks.values(state.getDoctorID(), state.getStatus(), state.getRescheduleCount(), state.getApptime()), 102, 2, 0, late);
        expectFault("Appointment_Status", "refusal", "Refused", 20, "AppointmentID", () -> port.appointmentStatus(999999, 1));

        AppointmentChange change = port.appointmentStatusUpdates(id, 1, midnight, moved, 1);
        Checks.expect("Appointment_Status_Updates", "typed",
                Checks.values(change.isChanged(), change.getPreviousStatus(), change.getApptime()), true, 2, moved);
        XMLGregorianCalendar unset = DatatypeFactory.newInstance().newXMLGregorianCalendar("0001-01-01T00:00:00");
        change = port.appointmentStatusUpdates(id, 6, unset, unset, 1);
        Checks.expect("Appointment_Status_Updates", "unset dates",
                Checks.values(change.isChanged(), change.getStatus(), change.getStatusText()), true, 6, "Cancelled");

        DoctorDay day = port.opAppointmentdetail(102, midnight, 1);
        List<Appointment> rows = day.getAppointments().getAppointment();
        Checks.expect("OPAppointmentdetail", "typed",
                Checks.values(day.getTotalCount(), rows.get(0).getApptime(), rows.get(1).getApptime(), rows.size()),
                2, midnight, noon, 2);
        Checks.expect("OPAppointmentdetail", "markup and Unicode", Checks.values(rows.get(0).getName()), text);
        Checks.expect("OPAppointmentdetail", "empty strings", Checks.values(rows.get(1).getSex(), rows.get(1).getArea()), "U", null);

        FeedbackReceipt receipt = port.fbPushDetails(run, "12", "", "Nursing", text);
        Checks.expect("FB_Push_Details", "typed",
                Checks.values(receipt.getResultCode(), receipt.getFeedbackID() > 0, receipt.getReceivedOn() != null), 0, true, true);
        FeedbackReceipt again = port.fbPushDetails(run, "12", "", "Nursing", text);
        Checks.expect("FB_Push_Details", "repeated", Checks.values(again.getResultCode(), again.getFeedbackID()), 1, receipt.getFeedbackID());
        expectFault("FB_Push_Details", "bad value", "InvalidValue", null, "ipno",
                () -> port.fbPushDetails(Checks.TOO_LONG, "12", "", "Nursing", text));

        MessageReceipt message = port.sentSMS("9845012345", run + text, 0, 1);
        Checks.expect("Sent_SMS", "typed",
                Checks.values(message.getResultCode(), message.getMobileno(), message.getEncoding(), message.getSegments(), message.getStatus()),
                0, "+919845012345", "UCS-2", 1, 1);
        expectFault("Sent_SMS", "refusal", "Refused", 30, "Mobileno", () -> port.sentSMS("12", text, 0, 1));
    }

    private JaxwsClient() {}
}
