package io.drayage.bench.child;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Request;
import io.drayage.bench.child.ControlMessages.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The child's side of the control channel. It carries out one command after the other on the
 * calling thread. A separate thread reads standard input all the time, so that the child ends as
 * soon as the rig is gone.
 */
public final class ChildLoop {
  private static final int RIG_GONE = 3;

  /** Carries out commands other than {@link Command#QUIESCE}. */
  public interface Handler {
    /**
     * Carries out one command.
     *
     * @return the answer; null for "done" without a result
     * @throws Exception if it failed; the message goes to the rig, the stack trace to the log
     */
    @Nullable Object handle(Command command, Arguments arguments) throws Exception;
  }

  /** The arguments of one command. */
  public record Arguments(@Nullable JsonNode json) {
    /** Returns the arguments as a record that Jackson can make. */
    public <T> T as(Class<T> type) throws JsonProcessingException {
      return ControlMessages.JSON.treeToValue(json, type);
    }
  }

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final PrintStream answers;
  private final Handler handler;

  private ChildLoop(PrintStream answers, Handler handler) {
    this.answers = answers;
    this.handler = handler;
  }

  /** Serves the rig until the rig is gone or kills this JVM. Does not return. */
  public static void serve(Handler handler) throws IOException, InterruptedException {
    PrintStream answers = System.out;
    // Output of libraries must not get between the answers.
    System.setOut(System.err);
    ChildLoop loop = new ChildLoop(answers, handler);
    Thread reader = new Thread(loop::readLines, "rig-control");
    reader.setDaemon(true);
    reader.start();
    loop.run();
  }

  private void readLines() {
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      log(e);
    }
    Runtime.getRuntime().halt(RIG_GONE);
  }

  private void run() throws IOException, InterruptedException {
    while (true) {
      Request request = nextRequest();
      answers.println(ControlMessages.JSON.writeValueAsString(answer(request)));
      answers.flush();
    }
  }

  /** WaitTimes for a request. Profiles exclude the method by its name. */
  private Request nextRequest() throws IOException, InterruptedException {
    return ControlMessages.JSON.readValue(lines.take(), Request.class);
  }

  /** Answers a command even if it fails, for example out of memory; the rig records it. */
  private Response answer(Request request) throws InterruptedException {
    try {
      Object result = result(request);
      return new Response(ControlMessages.JSON.valueToTree(result), null);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      log(e);
      return new Response(null, String.valueOf(e.getMessage() == null ? e : e.getMessage()));
    }
  }

  private @Nullable Object result(Request request) throws Exception {
    if (request.command() == Command.QUIESCE) {
      Quiescence.await();
      return null;
    }
    return handler.handle(request.command(), new Arguments(request.arguments()));
  }

  /** Standard error is this child's log. */
  private static void log(Throwable e) {
    e.printStackTrace(System.err);
  }
}
