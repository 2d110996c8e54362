package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.ChildJvm;
import io.drayage.testing.Ends;
import io.drayage.transport.Backoff;
import io.drayage.transport.TransportOptions;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends in one JVM whose heap is half full: nothing hangs. */
@Tag("nightly")
@Timeout(300)
class SmallHeapEndsTest {
  /** Serial GC: with G1, a page would use a whole region, and Netty would find no memory. */
  private static final List<String> HEAP =
      List.of("-XX:+UseSerialGC", "-Xmx100m", "-XX:MaxDirectMemorySize=64m");

  private static final long DEADLINE_S = 250;

  @TempDir private Path folder;

  @Test
  void limitsGoByWhatIsFree() throws Exception {
    String said = run("columnar", "heap");
    assertThat(said).contains("large: LIMIT").contains("small: committed 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "columnar"})
  void aCargoThatTakesTheLastMemoryCostsItselfAlone(String serializer) throws Exception {
    String said = run(serializer, "none");
    assertThat(said)
        .containsPattern("large: (INTERNAL|PEER_GONE|DECODE)")
        .contains("small: committed 1");
  }

  @Test
  void endsWhenItIsToldTo() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(HEAP);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Main.class.getName(), "raw", "none", "wait"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Executor atTheDeadline = CompletableFuture.delayedExecutor(DEADLINE_S, TimeUnit.SECONDS);
    atTheDeadline.execute(process::destroyForcibly);
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      while (line != null && !line.startsWith("small:")) {
        line = said.readLine();
      }
      assertThat(line).as("within %d s", DEADLINE_S).isNotNull();
      process.destroy(); // SIGTERM
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private String run(String serializer, String limits) throws Exception {
    return ChildJvm.run(folder, DEADLINE_S, HEAP, Main.class, serializer, limits, "end");
  }

  /**
   * Ships a cargo that does not fit into a half-full heap, and then a small one, and prints both
   * outcomes. With {@code wait}, it then waits for its end.
   */
  static final class Main {
    private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    /** Half of the heap. */
    @SuppressWarnings("unused") // Only to be referenced.
    private static byte[][] inUse = {};

    private Main() {}

    /**
     * Ships both cargoes.
     *
     * @param args the serializer; {@code heap} for limits by the free memory, {@code none} for
     *     limits that are too high; {@code wait} to wait for the end of the process
     */
    public static void main(String[] args) throws Exception {
      inUse = new byte[(int) (Runtime.getRuntime().maxMemory() >> 19)][256 << 10];
      ReceiverLimits limits =
          args[1].equals("heap")
              ? ReceiverLimits.ofHeap()
              : new ReceiverLimits(1L << 40, 1L << 40, 64);
      MemoryCommitter database = cargo -> 1;
      Ends ends = new Ends(NettyTransport.best(), TransportOptions.DEFAULT);
      ends.receive(new CargoReceiver(database, limits, 2));
      Runtime.getRuntime().addShutdownHook(new Thread(ends.server()::close));
      SegmentsSender sender = ends.sender(args[0], "none");

      long pages = Runtime.getRuntime().maxMemory() / Long.BYTES / ROWS_PER_PAGE;
      say("large: ", outcome(sender, cargo(pages)));
      say("small: ", outcomeInTheEnd(sender));
      if (args[2].equals("wait")) {
        Thread.sleep(PATIENCE.toMillis());
      }
      ends.close();
      System.exit(0);
    }

    @SuppressWarnings("SystemOut")
    private static void say(String what, String outcome) throws InterruptedException {
      boolean unused =
          patiently(
              () -> {
                System.out.println(what + outcome);
                return true;
              });
    }

    /** Tries until there is enough memory. */
    private static <T> T patiently(Supplier<T> action) throws InterruptedException {
      while (true) {
        try {
          return action.get();
        } catch (OutOfMemoryError e) {
          Thread.sleep(100);
        }
      }
    }

    private static ChangeCargo cargo(long pages) {
      ColumnValues values =
          ColumnValues.onDemand(
              ColumnType.LONG,
              pages * ROWS_PER_PAGE,
              ROWS_PER_PAGE,
              page -> {
                long[] rows = new long[ROWS_PER_PAGE];
                rows[0] = page;
                return rows;
              });
      return CargoBytes.cargoOf(UUID.randomUUID(), values);
    }

    /** Returns the last outcome; the large cargo is freed when its transactor knows its end. */
    private static String outcomeInTheEnd(SegmentsSender sender) throws InterruptedException {
      Backoff pauses = new Backoff(PATIENCE);
      String outcome = outcome(sender, cargo(1));
      while (!outcome.startsWith("committed") && pauses.pause()) {
        outcome = outcome(sender, cargo(1));
      }
      return outcome;
    }

    private static String outcome(SegmentsSender sender, ChangeCargo cargo)
        throws InterruptedException {
      try {
        return "committed " + sender.send(cargo, SendOptions.DEFAULT.within(PATIENCE)).frames();
      } catch (ShipmentException e) {
        return patiently(() -> e.fault() + " " + e.getMessage());
      } catch (OutOfMemoryError e) {
        return "INTERNAL to the thread that sends"; // The thread itself found no memory.
      }
    }
  }
}
