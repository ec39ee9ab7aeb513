using System;
using System.Runtime.InteropServices;

static class Ending
{
    [DllImport("libc")]
    static extern void _exit(int code);

    // Ends with code 0, past Mono's shutdown: about one in a hundred of those aborts in a thread that still keeps a connection.
    public static void Now()
    {
        Console.Out.Flush();
        _exit(0);
    }
}
