import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Calendar;
import java.util.TimeZone;
import proxy.*;

/** Calls the service through the proxy that WSDL2Java of Axis 1.4 generated in the package proxy. It sends every dateTime as an instant. */
public final class AxisClient {
    private static Calendar at(String time) throws Exception {
        Calendar calendar = Calendar.getInstance();
        calendar.setTime(new SimpleDateFormat("yyyy-MM-dd HH:mm").parse(on(time)));
        return calendar;
    }

    /** The wall time of an answer: Axis 1.4 takes a dateTime without an offset for UTC. */
    private static String wall(Calendar calendar) {
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH:mm");
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return format.format(calendar.getTime());
    }

    private static String on(String time) {
        return Checks.DAY + " " + time;
    }

    private static void expectFault(String operation, String check, String code, Integer resultCode, String parameter, Checks.Call call)
            throws Exception {
        try {
            Checks.report(operation, check, false, "no exception but " + call.run());
        } catch (ServiceFault fault) {
            Checks.expect(operation, check, Checks.values(fault.getCode(), fault.getResultCode(), fault.getParameter()),
                    code, resultCode, parameter);
        }
    }

    public static void main(String[] args) throws Exception {
        TPWebServicesLocator locator = new TPWebServicesLocator();
        TPWebServicesSoap_PortType port = locator.getTPWebServicesSoap();
        String run = Checks.RUN;
        // Axis 1.4 writes a character beyond U+FFFF as two references to surrogates, which is no XML.
        String text = Checks.TEXT.replaceAll("[\\x{10000}-\\x{10FFFF}]", "");
        Calendar midnight = at("00:00");
        Calendar noon = at("12:00");
        Calendar late = at("23:45");
        Calendar moved = at("23:30");

        Checks.report("GetDoctor", "address of the WSDL", locator.getTPWebServicesSoapAddress().equals(Checks.ENDPOINT),
                locator.getTPWebServicesSoapAddress());
        Checks.notHad("OPAppointmentdetail", "characters beyond U+FFFF", "Axis 1.4 writes them as references to surrogates, which is no XML");
        DoctorList doctors = port.getDoctor(1);
        Doctor asha = Arrays.stream(doctors.getDoctors()).filter(doctor -> doctor.getDoctorID() == 101).findFirst().get();
        Checks.expect("GetDoctor", "typed",
                Checks.values(doctors.getResultCode(), doctors.getDoctors().length, asha.getDoctorName(), asha.getSlotMinutes(), asha.getOPDays()),
                0, 10, "Dr. Asha Rao", 15, "Mon-Sat");
        expectFault("GetDoctor", "refusal", "Refused", 11, "centerid", () -> port.getDoctor(9));

        AppointmentBooking first = port.fetch_Details(102, run + "-1", midnight, midnight, "Mrs", text, "F", "34", "Indiranagar", "9845012345",
                "asha@example.org", 1);
        Checks.expect("Fetch_Details", "typed",
                Checks.values(first.getResultCode(), first.getStatus(), first.getTokenNo(), first.getRegistrationNumber()),
                0, 2, 1, run + "-1");
        Checks.expect("Fetch_Details", "midnight", Checks.values(wall(first.getApp_date()), wall(first.getApp_time())),
                on("00:00"), on("00:00"));
        AppointmentBooking second = port.fetch_Details(102, null, midnight, late, null, "Ravi", null, null, null, "9845012346", null, 1);
        Checks.expect("Fetch_Details", "missing strings", Checks.values(second.getResultCode(), wall(second.getApp_time())),
                0, on("23:45"));
        AppointmentBooking third = port.fetch_Details(102, "", midnight, noon, "", "Ravi", "", "", "", "9845012347", "", 1);
        Checks.expect("Fetch_Details", "empty strings", Checks.values(third.getResultCode()), 0);
        expectFault("Fetch_Details", "refusal", "Refused", 14, null,
                () -> port.fetch_Details(102, run + "-2", midnight, midnight, "", text, "F", "34", "", "9845012345", "", 1));

        int id = second.getAppointmentID();
        AppointmentState state = port.appointment_Status(id, 1);
        Checks.expect("Appointment_Status", "typed",
                Checks.values(state.getDoctorID(), state.getStatus(), state.getRescheduleCount(), wall(state.getApptime())),
                102, 2, 0, on("23:45"));
        expectFault("Appointment_Status", "refusal", "Refused", 20, "AppointmentID", () -> port.appointment_Status(999999, 1));

        AppointmentChange change = port.appointment_Status_Updates(id, 1, midnight, moved, 1);
        Checks.expect("Appointment_Status_Updates", "typed",
                Checks.values(change.getChanged(), change.getPreviousStatus(), wall(change.getApptime())), true, 2, on("23:30"));
        change = port.appointment_Status_Updates(id, 6, midnight, moved, 1);
        Checks.expect("Appointment_Status_Updates", "another move",
                Checks.values(change.getChanged(), change.getStatus(), change.getStatusText()), true, 6, "Cancelled");

        DoctorDay day = port.OPAppointmentdetail(102, midnight, 1);
        Appointment[] rows = day.getAppointments();
        Checks.expect("OPAppointmentdetail", "typed",
                Checks.values(day.getTotalCount(), wall(rows[0].getApptime()), wall(rows[1].getApptime()), rows.length),
                2, on("00:00"), on("12:00"), 2);
        Checks.expect("OPAppointmentdetail", "markup and Unicode", Checks.values(rows[0].getName()), text);
        Checks.expect("OPAppointmentdetail", "empty strings", Checks.values(rows[1].getSex(), rows[1].getArea()), "U", null);

        FeedbackReceipt receipt = port.FB_Push_Details(run, "12", "", "Nursing", text);
        Checks.expect("FB_Push_Details", "typed",
                Checks.values(receipt.getResultCode(), receipt.getFeedbackID() > 0, receipt.getReceivedOn() != null), 0, true, true);
        FeedbackReceipt again = port.FB_Push_Details(run, "12", "", "Nursing", text);
        Checks.expect("FB_Push_Details", "repeated", Checks.values(again.getResultCode(), again.getFeedbackID()), 1, receipt.getFeedbackID());
        expectFault("FB_Push_Details", "bad value", "InvalidValue", null, "ipno",
                () -> port.FB_Push_Details(Checks.TOO_LONG, "12", "", "Nursing", text));

        MessageReceipt message = port.sent_SMS("9845012345", run + text, 0, 1);
        Checks.expect("Sent_SMS", "typed",
                Checks.values(message.getResultCode(), message.getMobileno(), message.getEncoding(), message.getSegments(), message.getStatus()),
                0, "+919845012345", "UCS-2", 1, 1);
        expectFault("Sent_SMS", "refusal", "Refused", 30, "Mobileno", () -> port.sent_SMS("12", text, 0, 1));
    }

    private AxisClient() {}
}
