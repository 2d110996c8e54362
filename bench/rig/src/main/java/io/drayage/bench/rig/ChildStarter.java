package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.link.LinkedHost;
import io.drayage.bench.peer.PeerProcess;
import io.drayage.bench.rig.node.TransactorMain;
import io.drayage.bench.rig.node.WorkerMain;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.PeerSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts the children of one system: with this JVM, with the same options for every system and,
 * except for a peer, with the same class path.
 *
 * @param logs the folder for their logs; it exists
 * @param number of the pair, from 1, which separates its logs
 * @param name of the pair in messages and logs
 * @param contender determines whose processes they are
 */
record ChildStarter(RigPlan plan, Path logs, int number, String name, Contender contender) {
  /**
   * Starts all children.
   *
   * @param machine supplies the use of the machine
   */
  Pair pair(Supplier<@Nullable MachineUse> machine) throws IOException {
    return new Pair(
        contender,
        workers(),
        transactor(),
        Child.Deadlines.of(plan.cargo().heapBytes() * plan.delivery().workers()),
        machine);
  }

  private List<Child> workers() throws IOException {
    List<Child> workers = new ArrayList<>();
    int count = plan.workersOf(contender);
    for (int i = 1; i <= count; i++) {
      String role = count == 1 ? "worker" : "worker-" + i;
      workers.add(
          start(
              plan.link().worker(i),
              role,
              command(WorkerMain.class, PeerProcess.WORKER, plan.heap().workerOptions())));
    }
    return workers;
  }

  private Child transactor() throws IOException {
    return start(
        plan.link().transactor(),
        "transactor",
        command(TransactorMain.class, PeerProcess.TRANSACTOR, plan.heap().transactorOptions()));
  }

  private List<String> command(Class<?> main, String peerRole, List<String> options) {
    return PeerSystem.of(contender.system())
        .map(peer -> ofPeer(peer, peerRole, options))
        .orElseGet(() -> Child.command(main, options));
  }

  private static List<String> ofPeer(PeerSystem peer, String role, List<String> options) {
    List<String> all = new ArrayList<>(options);
    all.addAll(peer.jvmOptions());
    List<String> command =
        new ArrayList<>(Child.command(peer.mainClass(), peer.jar().toString(), all));
    command.add(role);
    return command;
  }

  private Child start(LinkedHost host, String role, List<String> command) throws IOException {
    String fileName = format("%d-%s-%s.log", number, name.replaceAll("[^A-Za-z0-9.]+", "-"), role);
    return Child.start(
        "the %s of %s".formatted(role, name), host.command(command), logs.resolve(fileName));
  }
}
