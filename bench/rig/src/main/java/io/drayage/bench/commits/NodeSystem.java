package io.drayage.bench.commits;

import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.rig.Child;
import io.drayage.bench.rig.ChildException;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.internal.Begun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node and its callers, each in a process of its own. */
final class NodeSystem implements CommitSystem {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Child node;
  private final Child callers;

  private NodeSystem(Child node, Child callers) {
    this.node = node;
    this.callers = callers;
  }

  /**
   * @param folder a new folder for ZooKeeper
   * @param store the name of an empty store
   * @param logs the folder of the logs
   */
  static NodeSystem start(Path folder, String store, Path logs)
      throws IOException, ChildException, InterruptedException {
    List<String> command = new ArrayList<>(command(CommitNodeMain.class));
    command.addAll(List.of(folder.toString(), store));
    Child node = Child.start("the node", command, logs.resolve("node.log"));
    try (Begun begun = new Begun(node::close)) {
      Child callers =
          Child.start(
              "the process of the callers",
              command(CallersMain.class),
              logs.resolve("callers.log"));
      begun.add(callers::close);
      callers.call(
          Command.CONNECT,
          node.call(Command.PREPARE, null, Listening.class, DEADLINE),
          Void.class,
          DEADLINE);
      return begun.keep(new NodeSystem(node, callers));
    }
  }

  private static List<String> command(Class<?> main) {
    List<String> options = new ArrayList<>(HeapPlan.accessOptions());
    options.add("-Xmx1g");
    return Child.command(main, options);
  }

  @Override
  public String name() {
    return "drayage";
  }

  @Override
  public CommitTimings run(CommitLoad load) throws ChildException, InterruptedException {
    return callers.call(
        Command.RUN, load, CommitTimings.class, DEADLINE.plusSeconds(load.seconds()));
  }

  @Override
  public void quiesce() throws ChildException, InterruptedException {
    for (Child child : List.of(callers, node)) {
      Void unused = child.call(Command.QUIESCE, null, Void.class, DEADLINE);
    }
  }

  @Override
  public ServerCost cost() throws ChildException, InterruptedException {
    return node.call(Command.END, null, ServerCost.class, DEADLINE);
  }

  @Override
  public void close() {
    callers.close();
    node.close();
  }
}
