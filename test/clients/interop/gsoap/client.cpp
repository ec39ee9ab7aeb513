// Calls the service through the proxy that wsdl2h -R and soapcpp2 -j generated. gSOAP keeps a dateTime as an instant of the host's zone.
// Of the GET binding wsdl2h makes calls without parameters, so the program writes the query itself.
#include "TPWebServicesSoap.nsmap"
#include "soapTPWebServicesSoapProxy.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <sstream>
#include <string>
#include <utility>

using std::string;
typedef std::initializer_list<std::pair<const char *, string>> Fields;

static string environment(const char *name) { const char *value = getenv(name); return value ? value : ""; }
static const string transport = environment("TRANSPORT"), run = environment("RUN"), day = environment("DAY");
static const bool isGet = transport == "httpGet", isPost = transport == "httpPost";
// gSOAP's POST writes a byte beyond ASCII as % and two characters that are no hexadecimal digits, so over POST the text ends before them.
static const string text = isPost ? environment("TEXT").substr(0, environment("TEXT").find(" \u00e9")) : environment("TEXT");
static TPWebServicesSoapProxy proxy(SOAP_C_UTFSTRING);

// gSOAP would send the Content-Type of the last answer.
static TPWebServicesSoapProxy &forPost() {
    proxy.soap->http_content = NULL;
    return proxy;
}

static string json(const string &value) {
    string out = "\"";
    char escaped[8];
    for (unsigned char c : value) {
        if (c == '"' || c == '\\' || c < ' ') { snprintf(escaped, sizeof escaped, "\\u%04x", c); out += escaped; }
        else out += c;
    }
    return out + '"';
}

static void report(const char *operation, const char *check, bool ok, const string &detail) {
    printf("{\"operation\":%s,\"transport\":%s,\"check\":%s,\"ok\":%s,\"detail\":%s}\n", json(operation).c_str(), json(transport).c_str(),
        json(check).c_str(), ok ? "true" : "false", json(ok ? "" : detail).c_str());
}

// A check that this stack cannot pass, and why.
static void notHad(const char *operation, const char *check, const char *reason) {
    printf("{\"operation\":%s,\"transport\":%s,\"check\":%s,\"ok\":null,\"detail\":%s}\n", json(operation).c_str(), json(transport).c_str(),
        json(check).c_str(), json(reason).c_str());
}

// Values as one text, each with a bar behind it.
static void put(std::ostream &) {}
template <class First, class... Rest> static void put(std::ostream &out, const First &first, const Rest &...rest) { out << first << '|'; put(out, rest...); }
template <class... Values> static string values(const Values &...all) { std::ostringstream out; put(out, all...); return out.str(); }

static void expect(const char *operation, const char *check, const string &actual, const string &expected) {
    report(operation, check, actual == expected, actual + ", not " + expected);
}

template <class Value> static Value of(const Value *value) { return value ? *value : Value(); }
static string number(int value) { return std::to_string(value); }
static string *copy(const string &value) { string *out = soap_new_std__string(proxy.soap); *out = value; return out; }

static time_t at(const string &time) {
    struct tm parts = {};
    sscanf((day + " " + time).c_str(), "%d-%d-%d %d:%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour, &parts.tm_min);
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    parts.tm_isdst = -1;
    return mktime(&parts);
}
static string wall(time_t moment) {
    char out[20];
    strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%S", localtime(&moment));
    return out;
}

static string query(const char *operation, Fields fields) {
    string out = string("/") + operation;
    char separator = '?';
    for (const auto &field : fields) {
        out += separator + string(field.first) + '=';
        separator = '&';
        char escaped[4];
        for (unsigned char c : field.second) { snprintf(escaped, sizeof escaped, "%%%02X", c); out += escaped; }
    }
    return out;
}

// A failed call: what the service said.
static void failed(const char *operation, const char *check) {
    std::ostringstream out;
    proxy.soap_stream_fault(out);
    report(operation, check, false, out.str());
}

#define CALL_SOAP(method, result)                                                                                                                    \
    _tempuri__##method##Response answer;                                                                                                             \
    int error = proxy.method(&in, answer);                                                                                                           \
    if (error == SOAP_OK && answer.result) out = *answer.result;                                                                                     \
    return error

static int getDoctor(int centerid, tempuri__DoctorList &out) {
    if (isGet) return proxy.GetDoctorResponse__(NULL, query("GetDoctor", {{"centerid", number(centerid)}}).c_str(), out);
    if (isPost) return forPost().GetDoctor___(number(centerid), out);
    _tempuri__GetDoctor in;
    in.centerid = centerid;
    CALL_SOAP(GetDoctor, GetDoctorResult);
}

// Null strings are left out.
struct Patient { const char *registration, *title, *name, *sex, *age, *area, *phone, *email; };

static int book(const string &time, const Patient &patient, tempuri__AppointmentBooking &out) {
    const string date = day + "T00:00:00", moment = day + "T" + time + ":00";
    auto given = [](const char *value) { return string(value ? value : ""); };
    const string registration = given(patient.registration), title = given(patient.title), name = given(patient.name), sex = given(patient.sex),
        age = given(patient.age), area = given(patient.area), phone = given(patient.phone), email = given(patient.email);
    if (isGet) return proxy.Fetch_USCOREDetailsResponse__(NULL, query("Fetch_Details", {{"DoctorID", "102"}, {"RegistrationNumber", registration},
        {"app_date", date}, {"app_time", moment}, {"title", title}, {"Name", name}, {"Sex", sex}, {"Age", age}, {"area", area},
        {"contactnumber", phone}, {"email", email}, {"centerid", "1"}}).c_str(), out);
    if (isPost) return forPost().Fetch_USCOREDetails___("102", registration, date, moment, title, name, sex, age, area, phone, email, "1", out);
    _tempuri__Fetch_USCOREDetails in;
    auto optional = [](const char *value) { return value ? copy(value) : NULL; };
    in.DoctorID = 102;
    in.RegistrationNumber = optional(patient.registration);
    in.app_USCOREdate = at("00:00");
    in.app_USCOREtime = at(time);
    in.title = optional(patient.title);
    in.Name = optional(patient.name);
    in.Sex = optional(patient.sex);
    in.Age = optional(patient.age);
    in.area = optional(patient.area);
    in.contactnumber = optional(patient.phone);
    in.email = optional(patient.email);
    in.centerid = 1;
    CALL_SOAP(Fetch_USCOREDetails, Fetch_USCOREDetailsResult);
}

static int status(int id, tempuri__AppointmentState &out) {
    if (isGet) return proxy.Appointment_USCOREStatusResponse__(NULL, query("Appointment_Status", {{"AppointmentID", number(id)}, {"centerid", "1"}}).c_str(), out);
    if (isPost) return forPost().Appointment_USCOREStatus___(number(id), "1", out);
    _tempuri__Appointment_USCOREStatus in;
    in.AppointmentID = id;
    in.centerid = 1;
    CALL_SOAP(Appointment_USCOREStatus, Appointment_USCOREStatusResult);
}

static int change(int id, int type, const string &time, tempuri__AppointmentChange &out) {
    const string date = day + "T00:00:00", moment = day + "T" + time + ":00";
    if (isGet) return proxy.Appointment_USCOREStatus_USCOREUpdatesResponse__(NULL, query("Appointment_Status_Updates", {{"AppointmentID", number(id)},
        {"type", number(type)}, {"appdate", date}, {"apptime", moment}, {"centerid", "1"}}).c_str(), out);
    if (isPost) return forPost().Appointment_USCOREStatus_USCOREUpdates___(number(id), number(type), date, moment, "1", out);
    _tempuri__Appointment_USCOREStatus_USCOREUpdates in;
    in.AppointmentID = id;
    in.type = type;
    in.appdate = at("00:00");
    in.apptime = at(time);
    in.centerid = 1;
    CALL_SOAP(Appointment_USCOREStatus_USCOREUpdates, Appointment_USCOREStatus_USCOREUpdatesResult);
}

static int list(tempuri__DoctorDay &out) {
    const string date = day + "T00:00:00";
    if (isGet) return proxy.OPAppointmentdetailResponse__(NULL,
        query("OPAppointmentdetail", {{"doctorid", "102"}, {"appdate", date}, {"centerid", "1"}}).c_str(), out);
    if (isPost) return forPost().OPAppointmentdetail___("102", date, "1", out);
    _tempuri__OPAppointmentdetail in;
    in.doctorid = 102;
    in.appdate = at("00:00");
    in.centerid = 1;
    CALL_SOAP(OPAppointmentdetail, OPAppointmentdetailResult);
}

static int feedback(const string &ipno, tempuri__FeedbackReceipt &out) {
    if (isGet) return proxy.FB_USCOREPush_USCOREDetailsResponse__(NULL, query("FB_Push_Details", {{"ipno", ipno}, {"roomno", "12"}, {"moblieno", ""},
        {"dept", "Nursing"}, {"needsimprovementcommit", text}}).c_str(), out);
    if (isPost) return forPost().FB_USCOREPush_USCOREDetails___(ipno, "12", "", "Nursing", text, out);
    _tempuri__FB_USCOREPush_USCOREDetails in;
    in.ipno = copy(ipno);
    in.roomno = copy("12");
    in.moblieno = copy("");
    in.dept = copy("Nursing");
    in.needsimprovementcommit = copy(text);
    CALL_SOAP(FB_USCOREPush_USCOREDetails, FB_USCOREPush_USCOREDetailsResult);
}

static int send(const string &mobile, tempuri__MessageReceipt &out) {
    if (isGet) return proxy.Sent_USCORESMSResponse__(NULL,
        query("Sent_SMS", {{"Mobileno", mobile}, {"Message", run + text}, {"tempid", "0"}, {"SMSmode", "1"}}).c_str(), out);
    if (isPost) return forPost().Sent_USCORESMS___(mobile, run + text, "0", "1", out);
    _tempuri__Sent_USCORESMS in;
    in.Mobileno = copy(mobile);
    in.Message = copy(run + text);
    in.tempid = 0;
    in.SMSmode = 1;
    CALL_SOAP(Sent_USCORESMS, Sent_USCORESMSResult);
}

// The last call failed with this ServiceFault; over a form with a status of 400 to 499, which is all that gSOAP keeps.
static void expectFault(const char *operation, const char *check, int error, const char *code, int resultCode, const char *parameter) {
    if (isGet || isPost) return report(operation, check, error >= 400 && error < 500, values(error));
    if (error == SOAP_OK || !proxy.soap->fault) return report(operation, check, false, values("no fault", error));
    SOAP_ENV__Detail *detail = proxy.soap->fault->detail ? proxy.soap->fault->detail : proxy.soap->fault->SOAP_ENV__Detail;
    if (!detail || !detail->tempuri__ServiceFault_) return report(operation, check, false, "no ServiceFault");
    tempuri__ServiceFault &fault = *detail->tempuri__ServiceFault_;
    expect(operation, check, values(fault.Code, of(fault.ResultCode), of(fault.Parameter)), values(code, resultCode, parameter));
}

int main() {
    const string first = run + "-1", other = run + "-2", tooLong(51, 'x');
    const Patient full = {first.c_str(), "Mrs", text.c_str(), "F", "34", "Indiranagar", "9845012345", "asha@example.org"};

    tempuri__DoctorList doctors, nobody;
    if (getDoctor(1, doctors)) failed("GetDoctor", "typed");
    else for (tempuri__Doctor *doctor : doctors.Doctors->Doctor) {
        if (doctor->DoctorID != 101) continue;
        expect("GetDoctor", "typed", values(doctors.ResultCode, doctors.Doctors->Doctor.size(), of(doctor->DoctorName), doctor->SlotMinutes, of(doctor->OPDays)),
            values(0, 10, "Dr. Asha Rao", 15, "Mon-Sat"));
    }
    if (!isGet && !isPost) expect("GetDoctor", "version of SOAP", values(proxy.soap->version), values(transport == "soap11" ? 1 : 2));
    expectFault("GetDoctor", "refusal", getDoctor(9, nobody), "Refused", 11, "centerid");

    tempuri__AppointmentBooking booking, second;
    if (book("00:00", full, booking)) failed("Fetch_Details", "typed");
    expect("Fetch_Details", "typed", values(booking.ResultCode, of(booking.Status), of(booking.TokenNo), of(booking.RegistrationNumber)), values(0, 2, 1, first));
    expect("Fetch_Details", "midnight", values(wall(of(booking.app_USCOREdate)), wall(of(booking.app_USCOREtime))),
        values(day + "T00:00:00", day + "T00:00:00"));
    if (book("23:45", {NULL, NULL, "Ravi", NULL, NULL, NULL, "9845012346", NULL}, second)) failed("Fetch_Details", "missing strings");
    expect("Fetch_Details", "missing strings", values(second.ResultCode, wall(of(second.app_USCOREtime))), values(0, day + "T23:45:00"));
    if (book("12:00", {"", "", "Ravi", "", "", "", "9845012347", ""}, booking)) failed("Fetch_Details", "empty strings");
    expect("Fetch_Details", "empty strings", values(booking.ResultCode), values(0));
    Patient somebody = full;
    somebody.registration = other.c_str();
    expectFault("Fetch_Details", "refusal", book("00:00", somebody, booking), "Refused", 14, "");

    const int id = of(second.AppointmentID);
    tempuri__AppointmentState state;
    if (status(id, state)) failed("Appointment_Status", "typed");
    expect("Appointment_Status", "typed", values(of(state.DoctorID), of(state.Status), of(state.RescheduleCount), wall(of(state.apptime))),
        values(102, 2, 0, day + "T23:45:00"));
    expectFault("Appointment_Status", "refusal", status(999999, state), "Refused", 20, "AppointmentID");

    tempuri__AppointmentChange moved;
    if (change(id, 1, "23:30", moved)) failed("Appointment_Status_Updates", "typed");
    expect("Appointment_Status_Updates", "typed", values(of(moved.Changed), of(moved.PreviousStatus), wall(of(moved.apptime))),
        values(true, 2, day + "T23:30:00"));

    tempuri__DoctorDay listed;
    if (list(listed) || !listed.Appointments || listed.Appointments->Appointment.size() != 3) failed("OPAppointmentdetail", "typed");
    else {
        auto &rows = listed.Appointments->Appointment;
        expect("OPAppointmentdetail", "typed", values(of(listed.TotalCount), wall(rows[0]->apptime), wall(rows[1]->apptime), wall(rows[2]->apptime)),
            values(3, day + "T00:00:00", day + "T12:00:00", day + "T23:30:00"));
        expect("OPAppointmentdetail", isPost ? "markup" : "markup and Unicode", of(rows[0]->Name), text);
        if (isPost) notHad("OPAppointmentdetail", "Unicode", "gSOAP's POST writes characters beyond ASCII in a form that is no percent-encoding");
        expect("OPAppointmentdetail", "empty strings", values(of(rows[1]->Sex), rows[1]->area == NULL), values("U", true));
    }

    tempuri__FeedbackReceipt receipt, again;
    if (feedback(run, receipt)) failed("FB_Push_Details", "typed");
    expect("FB_Push_Details", "typed", values(receipt.ResultCode, of(receipt.FeedbackID) > 0, of(receipt.ReceivedOn) > 0), values(0, true, true));
    if (feedback(run, again)) failed("FB_Push_Details", "repeated");
    expect("FB_Push_Details", "repeated", values(again.ResultCode, of(again.FeedbackID)), values(1, of(receipt.FeedbackID)));
    expectFault("FB_Push_Details", "bad value", feedback(tooLong, again), "InvalidValue", 0, "ipno");

    tempuri__MessageReceipt message;
    if (send("9845012345", message)) failed("Sent_SMS", "typed");
    expect("Sent_SMS", "typed", values(message.ResultCode, of(message.Mobileno), of(message.Encoding), of(message.Segments), of(message.Status)),
        values(0, "+919845012345", isPost ? "GSM-7" : "UCS-2", 1, 1));
    expectFault("Sent_SMS", "refusal", send("12", message), "Refused", 30, "Mobileno");
}
