package io.drayage.cli.cluster;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.transactor.Workload;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;

/** The main class of a worker that commits until it ends. Arguments: zookeeper, store, number. */
final class WorkerChild {
  private WorkerChild() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int number = Integer.parseInt(args[2]);
    Coordination coordination = ZooKeeperLogin.open(args[0], RealCluster.SESSION_MS);
    ObjectStore objects = ObjectStores.open(args[1]);
    Worker worker =
        Worker.open(
            new WorkerOptions("child-" + number),
            coordination,
            objects,
            address ->
                Systems.sender(
                    Systems.notation().parse("netty:raw+none@1"),
                    SystemOptions.DEFAULT,
                    address,
                    "child",
                    new DrayageMetrics()));
    while (true) {
      int next = Workload.committed(worker.snapshot(), number) + 1;
      worker.commit(Workload.next(worker.snapshot(), number, next));
    }
  }
}
