#!/usr/bin/perl
# An SMS center of one connection at a time, made with Net::SMPP and Perl's own reading of GSM-7: nothing in it is ours or npm's.
# Prints its port, then one line of JSON for each submit_sm that it takes, and sends a receipt for each.
use strict;
use warnings;
use Encode qw(decode);
use JSON::PP;
use Net::SMPP;

$| = 1;
# The library tells of each TLV that it has no name for.
local $SIG{__WARN__} = sub { };
my $json  = JSON::PP->new->ascii->canonical;
my $id    = 1000;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, timeout => undef) or die "cannot listen: $!";
print $listener->sockport, "\n";

while (my $client = $listener->accept) {
    while (my $pdu = $client->read_pdu) {
        my %answer = (seq => $pdu->{seq});
        my $command = $pdu->{cmd};
        if    ($command == Net::SMPP::CMD_bind_transceiver) { $client->bind_transceiver_resp(%answer, system_id => 'perl') }
        elsif ($command == Net::SMPP::CMD_enquire_link)     { $client->enquire_link_resp(%answer) }
        elsif ($command == Net::SMPP::CMD_unbind)           { $client->unbind_resp(%answer); last }
        elsif ($command == Net::SMPP::CMD_submit_sm)        { take($client, $pdu) }
    }
    $client->close;
}

sub take {
    my ($client, $pdu) = @_;
    my $octets = $pdu->{message_payload} // $pdu->{short_message};
    my $header = '';
    $header = substr($octets, 0, 1 + ord($octets), '') if $pdu->{esm_class} & 0x40;
    my $is_ucs2 = ($pdu->{data_coding} & 0x0c) == 0x08;
    my %told = map { $_ => $pdu->{$_} } qw(source_addr source_addr_ton source_addr_npi destination_addr dest_addr_ton
        dest_addr_npi data_coding esm_class registered_delivery validity_period);
    $told{id}     = ++$id;
    $told{header} = unpack 'H*', $header;
    $told{text}   = decode($is_ucs2 ? 'UTF-16BE' : 'gsm0338', $octets);
    $told{reference} = unpack 'n', $pdu->{user_message_reference};
    $told{principal} = $pdu->{0x1400};
    $told{template}  = $pdu->{0x1401};
    $client->submit_sm_resp(seq => $pdu->{seq}, message_id => $id);
    # In hexadecimal, as some SMS centers write their receipts.
    $pdu->{registered_delivery} and $client->deliver_sm(
        async             => 1,
        source_addr       => $pdu->{destination_addr},
        destination_addr  => $pdu->{source_addr},
        esm_class         => 4,
        short_message     => sprintf('id:%X sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:', $id),
    );
    print $json->encode(\%told), "\n";
}
