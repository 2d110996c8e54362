package io.drayage.cli.cluster;

import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The main class of processes that send nothing. Arguments: {@code sends}, {@code stops}, {@code
 * fails} or {@code hangs}, and a number. {@code starts} starts a process that hangs, and hangs.
 */
final class FragmentChild {
  static final int FAILURE = 7;
  static final TransactionHandle HANDLE =
      new TransactionHandle(new UUID(1, 2), 3, 4, new UUID(5, 6), 7, 8);

  private FragmentChild() {}

  static List<String> command(String what, int number) {
    return FragmentProcesses.command(FragmentChild.class, 1, List.of(what, "" + number));
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args[0].equals("starts")) {
      Consumer<String> report = System.out::println;
      try (FragmentProcesses started =
          FragmentProcesses.start(1, HANDLE, number -> command("hangs", 1), report)) {
        started.await();
      }
      return;
    }
    TransactionHandle handle = FragmentProcesses.receiveHandle(System.in);
    int number = Integer.parseInt(args[1]);
    System.err.println("has process " + ProcessHandle.current().pid());
    switch (args[0]) {
      case "sends" -> {
        System.out.println("something else");
        System.out.println(FragmentProcesses.FRAGMENT + new UUID(handle.base(), number));
        System.out.println(FragmentProcesses.SENT + number * 10);
      }
      case "stops" -> System.out.println(FragmentProcesses.FRAGMENT + new UUID(1, number));
      case "fails" -> {
        System.err.println("drayage: no disk");
        System.exit(FAILURE);
      }
      default -> TimeUnit.HOURS.sleep(1);
    }
  }
}
