import java.util.Arrays;

/** Prints what came of the checks, and knows what the runner says. */
final class Checks {
    static final String TRANSPORT = System.getenv("TRANSPORT");
    static final String ENDPOINT = System.getenv("ENDPOINT");
    static final String DAY = System.getenv("DAY");
    static final String RUN = System.getenv("RUN");
    static final String TEXT = System.getenv("TEXT");
    static final String TOO_LONG = "x".repeat(51);

    interface Call {
        Object run() throws Exception;
    }

    private static String json(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            json.append(c == '"' || c == '\\' || c < ' ' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return json.append('"').toString();
    }

    static void report(String operation, String check, boolean ok, Object detail) {
        System.out.printf("{\"operation\":%s,\"transport\":%s,\"check\":%s,\"ok\":%s,\"detail\":%s}%n", json(operation), json(TRANSPORT),
                json(check), ok, json(ok ? "" : String.valueOf(detail)));
    }

    /** A check that this stack cannot pass, and why. */
    static void notHad(String operation, String check, String reason) {
        System.out.printf("{\"operation\":%s,\"transport\":%s,\"check\":%s,\"ok\":null,\"detail\":%s}%n", json(operation),
                json(TRANSPORT), json(check), json(reason));
    }

    static Object[] values(Object... values) {
        return values;
    }

    /** A value of another type is another value. */
    static void expect(String operation, String check, Object[] actual, Object... expected) {
        report(operation, check, Arrays.equals(actual, expected), Arrays.toString(actual) + ", not " + Arrays.toString(expected));
    }

    static void returns(String operation, Call call) {
        try {
            call.run();
            report(operation, "returns", true, "");
        } catch (Exception e) {
            report(operation, "returns", false, e);
        }
    }

    private Checks() {}
}
