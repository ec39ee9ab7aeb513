# The service on Node's official image. It runs as an unprivileged user that can write only to /data.
# docker run --read-only --tmpfs /tmp -v tpwebservices:/data -p 127.0.0.1:8080:8080 IMAGE
# For the first start, add -e DATABASE_CREATE=true, or create the database with an import.
FROM node:26-bookworm-slim

LABEL org.opencontainers.image.title="tpwebservices"
LABEL org.opencontainers.image.description="Hospital appointment web service /TPWebServices.asmx: operations over SOAP 1.1, SOAP 1.2, HTTP GET and HTTP POST from one handwritten WSDL"
LABEL org.opencontainers.image.version="1.1.0"
LABEL org.opencontainers.image.licenses="MIT"

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY LICENSE ./
COPY wsdl ./wsdl
COPY src ./src
COPY examples ./examples
RUN ln -s /app/src/tpws.js /usr/local/bin/tpws
# OpenShift runs it as a user of its own choice, whose group is root's.
RUN mkdir -p /data && chown node:root /data && chmod 770 /data

# Compiles the code once for all starts of the image. Node uses only code that the same user compiled, so the user `node` compiles it. Afterwards
# the folder belongs to root, because Node runs the code in it.
RUN mkdir -p node_modules/.cache/tpwebservices && chown node:node node_modules/.cache/tpwebservices
RUN printf '' | DATABASE_URL=sqlite::memory: SMS_GATEWAY=off PORT=0 setpriv --reuid=node --regid=node --clear-groups timeout -s TERM 20 node --max-semi-space-size=8 src/start.js >/dev/null || test $? -eq 124
RUN chown -R root:root node_modules/.cache

ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV DATABASE_URL=sqlite:/data/tpwebservices.db
ENV SMS_GATEWAY=file:/data/sms.jsonl
# The user `node`, as a number: Kubernetes' profile "restricted" believes no name.
USER 1000
VOLUME /data
EXPOSE 8080
# The operations port uses plain HTTP and requests no certificate. Without it, the check uses the service's own port, over HTTP or HTTPS. The
# container itself answers there, so its certificate need not be verified. OPERATIONS_PORT may have an address in front of the port, which must include 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "const{OPERATIONS_PORT:o,PORT:p,TLS_CERT:t}=process.env;require(t&&!o?'https':'http').get({host:'127.0.0.1',port:(o||p||'8080').split(':').pop(),path:'/healthz',rejectUnauthorized:false},r=>process.exit(r.statusCode===200?0:1)).on('error',()=>process.exit(1))"]
# Node is started directly, because npm would not forward SIGTERM.
CMD ["node", "--max-semi-space-size=8", "src/start.js"]
