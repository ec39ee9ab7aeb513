/** JMeter without its launcher, which looks for jars in an installation. */
public class JmeterRun {
    public static void main(String[] args) {
        new org.apache.jmeter.JMeter().start(args);
    }
}
