// Calls the service through the proxies that KDSoap's kdwsdl2cpp generated, over Qt's network.
#include "proxy.h"
#include <QtCore>
#include <cstdio>

using namespace TPWebServices;

static const QString transport = qEnvironmentVariable("TRANSPORT"), run = qEnvironmentVariable("RUN"), text = qEnvironmentVariable("TEXT");

static void expect(const char *operation, const char *check, const QVariantList &actual, const QVariantList &expected) {
    const bool ok = actual == expected;
    const auto shown = [](const QVariantList &values) { return QString::fromUtf8(QJsonDocument(QJsonArray::fromVariantList(values)).toJson()); };
    const QJsonObject outcome{{"operation", operation}, {"transport", transport}, {"check", check}, {"ok", ok},
        {"detail", ok ? "" : shown(actual) + ", not " + shown(expected)}};
    puts(QJsonDocument(outcome).toJson(QJsonDocument::Compact).constData());
}

static KDDateTime at(const char *time) {
    return KDDateTime(QDateTime::fromString(qEnvironmentVariable("DAY") + "T" + time, Qt::ISODate));
}

template <class Proxy> static void callAll() {
    Proxy proxy;
    TNS__GetDoctor center;
    center.setCenterid(1);
    const auto doctors = proxy.getDoctor(center).getDoctorResult();
    expect("GetDoctor", "typed", {doctors.resultCode(), doctors.doctors().doctor().isEmpty()}, {0, false});
    TNS__Fetch_Details booking;
    booking.setDoctorID(102);
    booking.setRegistrationNumber(run);
    booking.setApp_date(at("00:00:00"));
    booking.setApp_time(at("10:00:00"));
    booking.setName(text);
    booking.setContactnumber("9845012345");
    booking.setCenterid(1);
    const auto booked = proxy.fetch_Details(booking).fetch_DetailsResult();
    expect("Fetch_Details", "typed", {booked.resultCode(), booked.app_time().toString(Qt::ISODate)}, {0, at("10:00:00").toString(Qt::ISODate)});
    TNS__Appointment_Status which;
    which.setAppointmentID(booked.appointmentID());
    which.setCenterid(1);
    expect("Appointment_Status", "typed", {proxy.appointment_Status(which).appointment_StatusResult().status()}, {2});
    TNS__OPAppointmentdetail day;
    day.setDoctorid(102);
    day.setAppdate(at("00:00:00"));
    day.setCenterid(1);
    const auto listed = proxy.oPAppointmentdetail(day).oPAppointmentdetailResult().appointments().appointment();
    expect("OPAppointmentdetail", "text", {listed.size(), listed.value(0).name()}, {1, text});
    TNS__Appointment_Status_Updates cancel;
    cancel.setAppointmentID(booked.appointmentID());
    cancel.setType(6);
    cancel.setAppdate(at("00:00:00"));
    cancel.setApptime(at("00:00:00"));
    cancel.setCenterid(1);
    expect("Appointment_Status_Updates", "typed", {proxy.appointment_Status_Updates(cancel).appointment_Status_UpdatesResult().status()}, {6});
    TNS__FB_Push_Details feedback;
    feedback.setIpno(run);
    feedback.setDept(text);
    expect("FB_Push_Details", "typed", {proxy.fB_Push_Details(feedback).fB_Push_DetailsResult().resultCode()}, {0});
    TNS__Sent_SMS message;
    message.setMobileno("9845012345");
    message.setMessage(run);
    message.setSMSmode(1);
    expect("Sent_SMS", "typed", {proxy.sent_SMS(message).sent_SMSResult().resultCode()}, {0});
    which.setAppointmentID(999999);
    proxy.appointment_Status(which);
    expect("Appointment_Status", "refusal", {proxy.lastError().contains("center 1 has no appointment 999999.")}, {true});
}

int main(int argc, char **argv) {
    QCoreApplication app(argc, argv);
    if (transport == "soap11") callAll<TPWebServicesSoap>();
    else callAll<TPWebServicesSoap12>();
}
