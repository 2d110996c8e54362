package io.drayage.bench.rig;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Committed;
import io.drayage.bench.child.ControlMessages.Sent;
import io.drayage.bench.child.ControlMessages.Shipped;
import io.drayage.bench.child.ProcessCost;
import io.drayage.send.SendReport;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes all workers of a pair ship their cargoes at the same time, once. */
record Shipping(Child transactor, List<Child> workers, Child.Deadlines deadlines) {
  /** Ships each cargo in a separate commit. */
  List<Shipped> each() throws ChildException, InterruptedException {
    return fromAll(Command.RUN, null, Shipped.class);
  }

  /** Ships all in one transaction, which the first worker begins, commits and measures. */
  List<Shipped> together() throws ChildException, InterruptedException {
    Child coordinator = workers.get(0);
    JsonNode handle = call(coordinator, Command.OPEN, null, JsonNode.class);
    List<Sent> sent = fromAll(Command.SEND, handle, Sent.class);
    List<UUID> fragments = sent.stream().flatMap(one -> one.fragments().stream()).toList();
    Committed committed = call(coordinator, Command.COMMIT, fragments, Committed.class);
    List<ProcessCost> costs = fromAll(Command.AWAIT, committed, ProcessCost.class);
    List<Shipped> shipped = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      SendReport report = sent.get(i).report();
      shipped.add(
          new Shipped(
              new SendReport(
                  committed.timestamp(),
                  report.wireBytes(),
                  report.frames(),
                  report.requestNs(),
                  report.serializeNs(),
                  report.drainNs(),
                  report.decodeNs(),
                  report.applyNs() + committed.commitNs(),
                  report.reconnects(),
                  report.resentBytes()),
              committed.loaded(),
              costs.get(i)));
    }
    return shipped;
  }

  private <T> T call(Child child, Command command, @Nullable Object arguments, Class<T> answer)
      throws ChildException, InterruptedException {
    try {
      return child.call(command, arguments, answer, deadlines.run());
    } catch (ChildException e) {
      throw cause(e);
    }
  }

  private <T> List<T> fromAll(Command command, @Nullable Object arguments, Class<T> answer)
      throws ChildException, InterruptedException {
    for (Child worker : workers) {
      worker.send(command, arguments);
    }
    List<T> answers = new ArrayList<>();
    ChildException failure = null;
    for (Child worker : workers) {
      try {
        answers.add(worker.await(answer, deadlines.run()));
      } catch (ChildException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw cause(failure);
    }
    return answers;
  }

  /** Prefers the transactor's end if a worker ended because the transactor is gone. */
  private ChildException cause(ChildException failure) {
    return transactor.isAlive() ? failure : ChildException.lost(transactor.howItEnded());
  }
}
