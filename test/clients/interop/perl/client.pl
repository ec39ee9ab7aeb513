# Calls the service through SOAP::Lite, as its documentation shows it for .NET services: no WSDL, the names qualified, the action joined with
# a slash. SOAP::Lite guesses the type of a value from its look, an Age of 34 as an int, so this program says which values are texts and
# leaves the others without a type. With MODE=defaults it leaves the guessing to SOAP::Lite: texts beyond ASCII go as xsd:base64Binary.
use strict;
use warnings;
use utf8;
use Encode qw(decode);
use JSON::PP;
use SOAP::Lite;

my ($transport, $run, $day) = @ENV{qw(TRANSPORT RUN DAY)};
my $defaults = ($ENV{MODE} // '') eq 'defaults';
my $text = decode('UTF-8', $ENV{TEXT});
my $json = JSON::PP->new->ascii;
SOAP::Lite->soapversion($transport eq 'soap12' ? '1.2' : '1.1');
my $soap = SOAP::Lite->new(proxy => $ENV{ENDPOINT})->default_ns('http://tempuri.org/')->autotype($defaults)
    ->on_action(sub { '"http://tempuri.org/' . $_[1] . '"' })->on_fault(sub { $_[1] });
my %is_text = map { $_ => 1 } qw(RegistrationNumber title Name Sex Age area contactnumber email ipno roomno moblieno dept
    needsimprovementcommit Mobileno Message);

sub report {
    my ($operation, $check, $ok, $detail) = @_;
    print $json->encode({operation => $operation, transport => $transport, check => $check,
        ok => $ok ? JSON::PP::true : JSON::PP::false, detail => $ok ? '' : $detail}), "\n";
}

sub expect {
    my ($operation, $check, $actual, $expected) = @_;
    my ($found, $wanted) = map { join ', ', map { $_ // 'undef' } @$_ } $actual, $expected;
    report($operation, $check, $found eq $wanted, "$found, not $wanted");
}

# call(OPERATION, NAME => VALUE, ...): the whole answer. An undefined value is left out.
sub call {
    my ($operation, @pairs) = @_;
    my @data;
    while (my ($name, $value) = splice @pairs, 0, 2) {
        next unless defined $value;
        my $data = SOAP::Data->name($name);
        push @data, $is_text{$name} && !$defaults ? $data->type(string => $value) : $data->value($value);
    }
    return $soap->call($operation, @data);
}

sub expect_fault {
    my ($operation, $check, $code, $result_code, $parameter, @pairs) = @_;
    my $answer = call($operation, @pairs);
    return report($operation, $check, 0, 'no SOAP answer: ' . $soap->transport->status) unless ref $answer;
    my $detail = $transport eq 'soap12' ? $answer->valueof('//Fault/Detail/ServiceFault') : ($answer->faultdetail // {})->{ServiceFault};
    expect($operation, $check, [@{$detail // {}}{qw(Code ResultCode Parameter)}], [$code, $result_code, $parameter]);
}

sub booking {
    my ($time, @patient) = @_;
    return (DoctorID => 102, @patient, app_date => "${day}T00:00:00", app_time => "${day}T$time:00", centerid => 1);
}

sub full {
    my ($time, $number) = @_;
    return booking($time, RegistrationNumber => $number, title => 'Mrs', Name => $text, Sex => 'F', Age => '34', area => 'Indiranagar',
        contactnumber => '9845012345', email => 'asha@example.org');
}

my $doctors = call('GetDoctor', centerid => 1);
die 'no SOAP answer: ' . $soap->transport->status unless ref $doctors;
my @list = $doctors->valueof('//Doctors/Doctor');
my ($asha) = grep { $_->{DoctorID} == 101 } @list;
expect('GetDoctor', 'values', [$doctors->result->{ResultCode}, scalar @list, @$asha{qw(DoctorName SlotMinutes OPDays)}],
    [0, 10, 'Dr. Asha Rao', 15, 'Mon-Sat']);
expect_fault('GetDoctor', 'refusal', 'Refused', 11, 'centerid', centerid => 9);

my $first = call('Fetch_Details', full('00:00', "$run-1"))->result;
expect('Fetch_Details', 'values', [@$first{qw(ResultCode Status TokenNo RegistrationNumber)}], [0, 2, 1, "$run-1"]);
expect('Fetch_Details', 'midnight', [@$first{qw(app_date app_time)}], ["${day}T00:00:00", "${day}T00:00:00"]);
my $second = call('Fetch_Details', booking('23:45', Name => 'Ravi', contactnumber => '9845012346'))->result;
expect('Fetch_Details', 'missing strings', [@$second{qw(ResultCode app_time)}], [0, "${day}T23:45:00"]);
my $third = call('Fetch_Details', booking('12:00', RegistrationNumber => '', title => '', Name => 'Ravi', Sex => '', Age => '', area => '',
    contactnumber => '9845012347', email => ''))->result;
expect('Fetch_Details', 'empty strings', [$third->{ResultCode}], [0]);
expect_fault('Fetch_Details', 'refusal', 'Refused', 14, undef, full('00:00', "$run-2"));

my $id = $second->{AppointmentID};
my $state = call('Appointment_Status', AppointmentID => $id, centerid => 1)->result;
expect('Appointment_Status', 'values', [@$state{qw(DoctorID Status RescheduleCount apptime)}], [102, 2, 0, "${day}T23:45:00"]);
expect_fault('Appointment_Status', 'bad value', 'InvalidValue', undef, 'AppointmentID', AppointmentID => '12abc', centerid => 1);

my $change = call('Appointment_Status_Updates', AppointmentID => $id, type => 1, appdate => "${day}T00:00:00",
    apptime => "${day}T23:30:00", centerid => 1)->result;
expect('Appointment_Status_Updates', 'values', [@$change{qw(Changed PreviousStatus apptime)}], ['true', 2, "${day}T23:30:00"]);
my $unset = '0001-01-01T00:00:00';
$change = call('Appointment_Status_Updates', AppointmentID => $id, type => 6, appdate => $unset, apptime => $unset, centerid => 1)->result;
expect('Appointment_Status_Updates', 'unset dates', [@$change{qw(Changed Status StatusText)}], ['true', 6, 'Cancelled']);

my $listed = call('OPAppointmentdetail', doctorid => 102, appdate => "${day}T00:00:00", centerid => 1);
my @rows = $listed->valueof('//Appointments/Appointment');
expect('OPAppointmentdetail', 'values', [$listed->result->{TotalCount}, map { $_->{apptime} } @rows],
    [2, "${day}T00:00:00", "${day}T12:00:00"]);
expect('OPAppointmentdetail', 'markup and Unicode', [$rows[0]{Name}], [$text]);
expect('OPAppointmentdetail', 'empty strings', [@{$rows[1]}{qw(Sex area)}], ['U', undef]);

my @feedback = (roomno => '12', moblieno => '', dept => 'Nursing', needsimprovementcommit => $text);
my $receipt = call('FB_Push_Details', ipno => $run, @feedback)->result;
expect('FB_Push_Details', 'values', [$receipt->{ResultCode}, $receipt->{FeedbackID} > 0], [0, 1]);
my $again = call('FB_Push_Details', ipno => $run, @feedback)->result;
expect('FB_Push_Details', 'repeated', [@$again{qw(ResultCode FeedbackID)}], [1, $receipt->{FeedbackID}]);
expect_fault('FB_Push_Details', 'bad value', 'InvalidValue', undef, 'ipno', ipno => 'x' x 51, @feedback);

my $message = call('Sent_SMS', Mobileno => '9845012345', Message => $run . $text, tempid => 0, SMSmode => 1)->result;
expect('Sent_SMS', 'values', [@$message{qw(ResultCode Mobileno Encoding Segments Status)}], [0, '+919845012345', 'UCS-2', 1, 1]);
expect_fault('Sent_SMS', 'refusal', 'Refused', 30, 'Mobileno', Mobileno => '12', Message => $text, tempid => 0, SMSmode => 1);
