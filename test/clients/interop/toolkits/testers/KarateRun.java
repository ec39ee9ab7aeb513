import com.google.gson.JsonObject;
import com.intuit.karate.*;
import com.intuit.karate.core.*;
import java.io.PrintStream;

/** Runs operations.feature, and prints an outcome for each tag of each scenario. */
public class KarateRun {
    public static void main(String[] args) {
        PrintStream out = System.out;
        System.setOut(System.err);
        Results results = Runner.path(args[0]).outputHtmlReport(false).parallel(1);
        results.getScenarioResults().forEach(result -> {
            for (Tag tag : result.getScenario().getTagsEffective()) {
                JsonObject outcome = new JsonObject();
                outcome.addProperty("operation", tag.getName());
                outcome.addProperty("transport", System.getenv("TRANSPORT"));
                outcome.addProperty("check", result.getScenario().getName());
                outcome.addProperty("ok", !result.isFailed());
                outcome.addProperty("detail", result.isFailed() ? result.getErrorMessage() : "");
                out.println(outcome);
            }
        });
        System.exit(0);
    }
}
