using System;
using System.Runtime.InteropServices;
using System.Text;

// Prints what came of the checks.
static class Checks
{
    public static readonly string Transport = Environment.GetEnvironmentVariable("TRANSPORT");

    static string Json(string text)
    {
        var json = new StringBuilder("\"");
        foreach (char c in text)
            json.Append(c == '"' || c == '\\' || c < ' ' || c > '~' ? "\\u" + ((int)c).ToString("x4") : c.ToString());
        return json.Append('"').ToString();
    }

    public static void Report(string operation, string check, bool ok, string detail = "")
    {
        Console.WriteLine("{{\"operation\":{0},\"transport\":{1},\"check\":{2},\"ok\":{3},\"detail\":{4}}}",
            Json(operation), Json(Transport), Json(check), ok ? "true" : "false", Json(ok ? "" : detail));
    }

    [DllImport("libc")]
    static extern void _exit(int code);

    // Ends with code 0, past Mono's shutdown: about one in a hundred of those aborts in a thread that still keeps a connection.
    public static void End()
    {
        Console.Out.Flush();
        _exit(0);
    }
}
