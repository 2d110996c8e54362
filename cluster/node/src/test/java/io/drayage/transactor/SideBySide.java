package io.drayage.transactor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Tasks that run at the same time, each on a thread of its own. */
public final class SideBySide {
  /** One of the tasks. */
  public interface Task {
    void run(int number) throws Exception;
  }

  private final List<FutureTask<Void>> tasks = new ArrayList<>();

  private SideBySide() {}

  /** Starts tasks, numbered from 0 on. */
  public static SideBySide start(int count, Task task) {
    SideBySide all = new SideBySide();
    for (int i = 0; i < count; i++) {
      int number = i;
      FutureTask<Void> next =
          new FutureTask<>(
              () -> {
                task.run(number);
                return null;
              });
      all.tasks.add(next);
      Thread thread = new Thread(next, "side-by-side-" + number);
      thread.setDaemon(true);
      thread.start();
    }
    return all;
  }

  /** Waits for all tasks; fails with the failure of the first one. */
  public void await() throws Exception {
    for (FutureTask<Void> task : tasks) {
      Void unused = task.get();
    }
  }
}
