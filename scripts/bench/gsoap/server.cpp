// gSOAP with the classes that wsdl2h and soapcpp2 generate: no store, no rules. PORT FILE, where FILE holds the answer to GetDoctor over SOAP 1.1.
// gSOAP's own serve() stays with a connection until it closes, so one thread waits for all of them with epoll and serves one request at a time.
#include "TPWebServicesSoap.nsmap"
#include "soapTPWebServicesSoapService.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/epoll.h>

static _tempuri__GetDoctorResponse answer;

class Service : public TPWebServicesSoapService {
public:
    explicit Service(soap_mode mode) : TPWebServicesSoapService(mode) {}
    explicit Service(struct soap *own) : TPWebServicesSoapService(own) {}
    TPWebServicesSoapService *copy() override {
        Service *made = new Service(soap_copy(soap));
        made->soap_own = true;
        return made;
    }

    // Serves one request. True while the connection stays open.
    bool serveOne() {
        soap->keep_alive = 2;
        if (soap_begin_serve(soap) == SOAP_OK) {
            if (dispatch() && soap->error && soap->error < SOAP_STOP) soap_send_fault(soap);
        } else if (soap->error < SOAP_STOP) {
            soap->keep_alive = 0;
        }
        destroy();
        return soap->keep_alive != 0 && soap_valid_socket(soap->socket);
    }

    int GetDoctor(_tempuri__GetDoctor *, _tempuri__GetDoctorResponse &out) override {
        out.GetDoctorResult = answer.GetDoctorResult;
        return SOAP_OK;
    }
};

static void readAnswer(struct soap *soap, const char *path) {
    std::ifstream file(path);
    soap->is = &file;
    if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_body_begin_in(soap) ||
        !soap_get__tempuri__GetDoctorResponse(soap, &answer, "GetDoctorResponse", NULL) || !answer.GetDoctorResult) {
        soap_print_fault(soap, stderr);
        exit(1);
    }
    soap->is = NULL;
}

int main(int, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    const soap_mode mode = SOAP_IO_KEEPALIVE | SOAP_XML_TREE | SOAP_C_UTFSTRING;
    struct soap *kept = soap_new1(mode);
    soap_set_namespaces(kept, namespaces);
    readAnswer(kept, argv[2]);
    Service root(mode);
    root.soap->bind_flags = SO_REUSEADDR;
    root.soap->max_keep_alive = 1000000000;
    if (!soap_valid_socket(root.bind("127.0.0.1", atoi(argv[1]), 512))) {
        root.soap_print_fault(stderr);
        return 1;
    }
    puts("listening");
    fflush(stdout);
    const int ready = epoll_create1(0);
    epoll_event event = {EPOLLIN, {NULL}};
    epoll_ctl(ready, EPOLL_CTL_ADD, root.soap->master, &event);
    while (epoll_wait(ready, &event, 1, -1) > 0) {
        Service *connection = static_cast<Service *>(event.data.ptr);
        if (connection == NULL) {
            if (!soap_valid_socket(root.accept())) continue;
            connection = static_cast<Service *>(root.copy());
            root.soap->socket = SOAP_INVALID_SOCKET;
            epoll_event added = {EPOLLIN, {connection}};
            epoll_ctl(ready, EPOLL_CTL_ADD, connection->soap->socket, &added);
        } else if (!connection->serveOne()) {
            connection->soap_force_close_socket();
            delete connection;
        }
    }
}
