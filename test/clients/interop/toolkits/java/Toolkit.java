import com.google.gson.*;
import java.io.*;
import java.lang.reflect.*;
import java.text.SimpleDateFormat;
import java.util.*;
import javax.xml.datatype.*;
import org.w3c.dom.*;

/** A toolkit in Java, driven by ../drive.ts: reads one call per line of standard input, and prints what came of it. */
public abstract class Toolkit {
    static final boolean IS_SOAP12 = "soap12".equals(System.getenv("TRANSPORT"));
    static final String ENDPOINT = System.getenv("ENDPOINT");
    static final String WSDL = System.getenv("WSDL");
    static final String NAMESPACE = "http://tempuri.org/";
    static final String PORT = IS_SOAP12 ? "TPWebServicesSoap12" : "TPWebServicesSoap";
    private static final TimeZone CENTER = TimeZone.getTimeZone("Asia/Kolkata");

    /** Means that the toolkit cannot do it, and says why. */
    static final class Lacks extends Exception {
        Lacks(String reason) {
            super(reason);
        }
    }

    /** The result as the toolkit returns it: beans, maps or elements. */
    abstract Object call(String operation, JsonObject values, String logIn) throws Exception;

    /** The typed detail of an exception, or null. */
    abstract Object faultOf(Throwable e) throws Exception;

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        if (System.getenv("CA") != null) {
            System.setProperty("javax.net.ssl.trustStore", "trust.p12");
            System.setProperty("javax.net.ssl.trustStorePassword", "changeit");
        }
        if (System.getenv("WITH_CERTIFICATE") != null) {
            System.setProperty("javax.net.ssl.keyStore", System.getenv("CLIENT_P12"));
            System.setProperty("javax.net.ssl.keyStoreType", "PKCS12");
            System.setProperty("javax.net.ssl.keyStorePassword", System.getenv("PASSWORD"));
        }
        Toolkit toolkit = (Toolkit) Class.forName(args[0]).getDeclaredConstructor().newInstance();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null;) {
            JsonObject call = JsonParser.parseString(line).getAsJsonObject();
            JsonElement logIn = call.get("logIn");
            JsonObject answer = new JsonObject();
            try {
                answer.add("result", toJson(toolkit.call(call.get("operation").getAsString(), call.getAsJsonObject("values"),
                        logIn == null ? "" : logIn.getAsString())));
            } catch (Throwable thrown) {
                Throwable e = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
                Object fault = toolkit.faultOf(e);
                StringWriter trace = new StringWriter();
                e.printStackTrace(new PrintWriter(trace));
                if (e instanceof Lacks) answer.addProperty("lacks", e.getMessage());
                else if (fault != null) answer.add("fault", toJson(fault));
                else answer.addProperty("error", trace.toString());
            }
            out.println(new GsonBuilder().serializeNulls().create().toJson(answer));
            out.flush();
        }
        System.exit(0);
    }

    /** A value of a call, in the type that the proxy has for it. */
    static Object toType(JsonElement value, Class<?> type) throws Exception {
        boolean isNull = value == null || value.isJsonNull();
        if (type == int.class || type == Integer.class) return isNull ? (type == int.class ? (Object) 0 : null) : value.getAsInt();
        // ADB cannot leave a date out. A move that needs none ignores it.
        if (isNull) return type == Calendar.class ? Calendar.getInstance(CENTER) : null;
        if (type == XMLGregorianCalendar.class) return DatatypeFactory.newInstance().newXMLGregorianCalendar(value.getAsString());
        if (type != Calendar.class) return value.getAsString();
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss");
        format.setTimeZone(CENTER);
        format.parse(value.getAsString());
        return format.getCalendar();
    }

    /** Calls the setters of a bean, whose names begin as the parameters do, whatever the case of their letters. */
    static Object fill(Object bean, JsonObject values) throws Exception {
        for (Method method : bean.getClass().getMethods()) {
            if (!method.getName().startsWith("set") || method.getParameterCount() != 1) continue;
            for (String name : values.keySet()) {
                if (plain(name).equals(plain(method.getName().substring(3))))
                    method.invoke(bean, toType(values.get(name), method.getParameterTypes()[0]));
            }
        }
        return bean;
    }

    static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static JsonElement toJson(Object value) throws Exception {
        if (value == null) return JsonNull.INSTANCE;
        if (value instanceof Number) return new JsonPrimitive((Number) value);
        if (value instanceof Boolean) return new JsonPrimitive((Boolean) value);
        if (value instanceof CharSequence || value instanceof Enum) return new JsonPrimitive(value.toString());
        if (value instanceof XMLGregorianCalendar) return new JsonPrimitive(((XMLGregorianCalendar) value).toXMLFormat());
        if (value instanceof Calendar) {
            return new JsonPrimitive(new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss").format(((Calendar) value).getTime()));
        }
        JsonArray list = new JsonArray();
        if (value instanceof Iterable) {
            for (Object each : (Iterable<?>) value) list.add(toJson(each));
            return list;
        }
        if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) list.add(toJson(Array.get(value, i)));
            return list;
        }
        return value instanceof Element ? elementToJson((Element) value) : beanToJson(value);
    }

    private static JsonElement beanToJson(Object bean) throws Exception {
        JsonObject json = new JsonObject();
        for (Method method : bean.getClass().getMethods()) {
            String name = method.getName().replaceFirst("^(get|is|isSet)(?=[A-Z])", "");
            boolean isGetter = !name.equals(method.getName()) && method.getParameterCount() == 0
                    && !Modifier.isStatic(method.getModifiers()) && !name.equals("Class");
            if (isGetter && isSpecified(bean, name)) json.add(name, toJson(method.invoke(bean)));
        }
        return json;
    }

    /** Whether the answer had it: Axis2 returns a number that means nothing if not. */
    private static boolean isSpecified(Object bean, String name) throws Exception {
        try {
            return (Boolean) bean.getClass().getMethod("is" + name + "Specified").invoke(bean);
        } catch (NoSuchMethodException e) {
            return true;
        }
    }

    /** An element without children is its text; children of one name are a list if their parent's name is theirs in plural. */
    private static JsonElement elementToJson(Element element) {
        JsonObject json = new JsonObject();
        StringBuilder text = new StringBuilder();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (!(node instanceof Element)) {
                text.append(node.getNodeValue());
                continue;
            }
            JsonElement value = elementToJson((Element) node);
            if (!element.getLocalName().equals(node.getLocalName() + "s")) {
                json.add(node.getLocalName(), value);
                continue;
            }
            if (!json.has(node.getLocalName())) json.add(node.getLocalName(), new JsonArray());
            json.getAsJsonArray(node.getLocalName()).add(value);
        }
        return json.size() == 0 ? new JsonPrimitive(text.toString()) : json;
    }
}
