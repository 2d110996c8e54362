package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ControlMessages;
import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.Job;
import io.drayage.bench.rig.node.JobCargo;
import io.drayage.bench.rig.node.TransactorMain;
import io.drayage.bench.rig.node.WorkerMain;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.database.LoadMode;
import io.drayage.frame.Acknowledgement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the children of the rig do, within this process: for the JVM to watch when it makes an
 * archive of what they load and of how they run.
 */
public final class ChildTraining {
  private static final long CARGO_BYTES = 32_000_000;

  private static final List<Burst> BURSTS =
      List.of(
          new Burst(16_000_000, 8, 64 << 10),
          new Burst(CARGO_BYTES, 2, null),
          new Burst(16_000_000, 8, 64 << 10));

  private final ChildLoop.Handler transactor = TransactorMain.handler();
  private final ChildLoop.Handler worker = WorkerMain.handler();

  private ChildTraining() {}

  /**
   * Commits some cargoes by each system.
   *
   * @param folder takes the cargo and the stores; the caller deletes it
   * @param zookeeper where a ZooKeeper is
   * @throws IOException if a commit fails
   */
  public static void run(List<SystemUnderTest> systems, Path folder, String zookeeper)
      throws IOException, InterruptedException {
    JobCargo cargo =
        new CargoFiles(folder).of(new CargoSpec("thesis", CARGO_BYTES, CARGO_BYTES, 1));
    Delivery.Commits commits =
        new Delivery.Commits(Acknowledgement.STORED, LoadMode.OWN, true, folder.toString(), null);
    for (SystemUnderTest system : systems) {
      Job job =
          new Job(
              system.toString(),
              SystemOptions.DEFAULT,
              cargo,
              commits.by(system, null),
              format("%s/training-%d", zookeeper, systems.indexOf(system)),
              "127.0.0.1",
              0,
              true,
              false);
      new ChildTraining().commit(job, job.ofWorker(1, cargo));
    }
  }

  private void commit(Job ofTransactor, Job ofWorker) throws IOException, InterruptedException {
    Object listening = tell(transactor, Command.PREPARE, ofTransactor);
    tell(worker, Command.PREPARE, ofWorker);
    tell(worker, Command.CONNECT, listening);
    for (Burst burst : BURSTS) {
      tell(worker, Command.RESET, tell(transactor, Command.RESET, null));
      tell(transactor, Command.BEGIN, null);
      tell(worker, Command.WARM, burst);
      tell(transactor, Command.END, null);
      Expected one = new Expected(1, false);
      tell(transactor, Command.VERIFY, one);
      tell(worker, Command.VERIFY, one);
    }
    tell(worker, Command.RESET, tell(transactor, Command.RESET, null));
    tell(worker, Command.RUN, null);
  }

  /** Over JSON, as the rig does. */
  private static @Nullable Object tell(
      ChildLoop.Handler child, Command command, @Nullable Object arguments)
      throws IOException, InterruptedException {
    try {
      Object answer =
          child.handle(
              command, new ChildLoop.Arguments(ControlMessages.JSON.valueToTree(arguments)));
      String unused = ControlMessages.JSON.writeValueAsString(answer);
      return answer;
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("%s: %s".formatted(command, e.getMessage()), e);
    }
  }
}
