# A program made for the old WSDL with SOAP::WSDL, whose proxy returns a fault for an answer with content that the WSDL does not describe. The
# service runs with RESULTS=none, and its first appointment has the number 1.
use strict;
use warnings;
use lib 'lib';
use JSON::PP;
use OldInterfaces::TPWebServices::TPWebServicesSoap;

my $day = "$ENV{DAY}T00:00:00";
my $port = OldInterfaces::TPWebServices::TPWebServicesSoap->new({proxy => $ENV{ENDPOINT}});

sub report {
    my ($operation, $check, $ok, $detail) = @_;
    print JSON::PP->new->encode({operation => $operation, transport => $ENV{TRANSPORT}, check => $check,
        ok => $ok ? JSON::PP::true : JSON::PP::false, detail => $ok ? '' : $detail}), "\n";
}

sub answered {
    my ($operation, $input) = @_;
    my $answer = $port->$operation($input);
    # A fault object is false.
    report($operation, 'returns', $answer ? 1 : 0, "$answer");
}

my %booking = (DoctorID => 102, RegistrationNumber => $ENV{RUN}, app_date => $day, app_time => $day, title => 'Mrs', Name => 'Asha', Sex => 'F',
    Age => 34, area => '', contactnumber => '9845012345', email => '', centerid => 1);
answered('GetDoctor', {centerid => 1});
answered('Fetch_Details', \%booking) for 1, 2;
my $refused = $port->Fetch_Details({%booking, Name => 'Meera', RegistrationNumber => "$ENV{RUN}-2"});
report('Fetch_Details', 'refusal', !$refused && "$refused" =~ /already booked/, "$refused");
answered('Appointment_Status', {AppointmentID => 1, centerid => 1});
answered('Appointment_Status_Updates', {AppointmentID => 1, type => 6, appdate => $day, apptime => $day, centerid => 1});
answered('OPAppointmentdetail', {doctorid => 102, appdate => $day, centerid => 1});
answered('FB_Push_Details', {ipno => $ENV{RUN}, roomno => '12', moblieno => '', dept => 'Nursing', needsimprovementcommit => 'Tea'});
answered('Sent_SMS', {Mobileno => '9845012345', Message => $ENV{RUN}, tempid => 0, SMSmode => 1});
