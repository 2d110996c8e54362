package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.link.Link;
import io.drayage.bench.link.LinkedHost;
import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.PeerJob;
import io.drayage.bench.peer.PeerProcess;
import io.drayage.bench.rig.Assignment.Extent;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.Job;
import io.drayage.bench.rig.node.JobCargo;
import io.drayage.bench.rig.node.TransactorMain;
import io.drayage.bench.rig.node.WorkerMain;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Division;
import io.drayage.bench.system.PeerSystem;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shipments of pairs of processes, and their link, for any system.
 *
 * @param cargo the shipped cargo
 * @param heap the memory of a pair
 * @param delivery how far a shipment goes, and the number of workers
 * @param link between the workers and the transactor, with a host for each; owned by the caller
 */
public record RigPlan(CargoSpec cargo, HeapPlan heap, Delivery delivery, Link link) {
  /**
   * Starts the children of a system: with this JVM, with the same options for every system and,
   * except for a peer, with the same class path.
   *
   * @param logs the folder for their logs; it exists
   * @param number of the pair, from 1, which separates its logs
   * @param name of the pair in messages and logs
   * @param machine supplies the use of the machine
   */
  Pair start(
      Contender contender,
      Path logs,
      int number,
      String name,
      Supplier<@Nullable MachineUse> machine)
      throws IOException {
    List<Child> workers = new ArrayList<>();
    int count = workersOf(contender);
    List<String> worker =
        command(contender, WorkerMain.class, PeerProcess.WORKER, heap.workerOptions());
    for (int i = 1; i <= count; i++) {
      String role = count == 1 ? "worker" : "worker-" + i;
      workers.add(start(link.worker(i), worker, logs, number, role, name));
    }
    List<String> transactor =
        command(contender, TransactorMain.class, PeerProcess.TRANSACTOR, heap.transactorOptions());
    return new Pair(
        contender,
        workers,
        start(link.transactor(), transactor, logs, number, "transactor", name),
        Child.Deadlines.of(cargo.heapBytes() * delivery.workers()),
        machine);
  }

  private static List<String> command(
      Contender contender, Class<?> main, String peerRole, List<String> options) {
    PeerSystem peer = PeerSystem.of(contender.system()).orElse(null);
    if (peer == null) {
      return Child.command(main, options);
    }
    List<String> all = new ArrayList<>(options);
    all.addAll(peer.jvmOptions());
    List<String> command =
        new ArrayList<>(Child.command(peer.mainClass(), peer.jar().toString(), all));
    command.add(peerRole);
    return command;
  }

  private static Child start(
      LinkedHost host, List<String> command, Path logs, int number, String role, String name)
      throws IOException {
    String fileName = format("%d-%s-%s.log", number, name.replaceAll("[^A-Za-z0-9.]+", "-"), role);
    return Child.start(
        "the %s of %s".formatted(role, name), host.command(command), logs.resolve(fileName));
  }

  /**
   * Returns the jobs of a system's children.
   *
   * @param files for the cargoes
   * @param commits how whole commits are made; null if the cargo only has to take effect
   * @param zookeeper the address of their ZooKeeper; null without commits
   * @param warmUp whether the children warm themselves before they are ready, as nodes do
   * @param besideOthers whether their earlier jobs stay ready
   */
  Assignment assignment(
      Contender contender,
      CargoFiles files,
      Delivery.@Nullable Commits commits,
      @Nullable String zookeeper,
      boolean warmUp,
      boolean besideOthers) {
    CargoFiles.Shares shares =
        contender.division().isShared() ? files.shares(cargo, delivery.workers()) : null;
    List<JobCargo> cargoes = shares == null ? cargoes(contender, files) : shares.cargoes();
    String host = link.transactor().address();
    SystemUnderTest system = contender.system();
    if (system.isPeer()) {
      PeerCodec codec = new PeerCodec(system.serializer(), system.compressor(), system.level());
      return new Assignment(
          new PeerJob(codec, null, host),
          cargoes.stream().map(cargo -> new PeerJob(codec, cargo.stored(), null)).toList(),
          Extent.RECEIVED,
          null);
    }
    Job job =
        new Job(
            system.toString(),
            options(contender),
            cargoes.get(0),
            commits == null ? null : commits.by(system, contender.options().load()),
            zookeeper,
            host,
            0,
            warmUp,
            besideOthers);
    List<Job> workers = new ArrayList<>();
    cargoes.forEach(cargo -> workers.add(job.ofWorker(workers.size() + 1, cargo)));
    return new Assignment(
        job,
        workers,
        commits == null ? Extent.EFFECT : Extent.WHOLE_COMMIT,
        shares == null || contender.division() != Division.TOGETHER
            ? null
            : (Long) shares.digest());
  }

  private List<JobCargo> cargoes(Contender contender, CargoFiles files) {
    List<JobCargo> cargoes = new ArrayList<>();
    for (int i = 0; i < workersOf(contender); i++) {
      cargoes.add(files.of(cargo.withSeed(cargo.seed() + i)));
    }
    return cargoes;
  }

  /** Returns the number of workers of a contender. */
  int workersOf(Contender contender) {
    return contender.division().workers(delivery.workers());
  }

  /** Returns the estimated memory of the processes of a contender. */
  long bytesOf(Contender contender) {
    return heap.pairBytes(contender.system(), workersOf(contender));
  }

  /**
   * Sets the bandwidth of the link for every transport, unless the user has set it. A transport
   * that counts its waits would find the same rate; another one could not find it.
   */
  private SystemOptions options(Contender contender) {
    SystemOptions options = contender.options();
    return options.wire().bytesPerSecond() == null
        ? options.withLinkBytesPerSecond(link.bytesPerSecondOfWorker(workersOf(contender)))
        : options;
  }
}
