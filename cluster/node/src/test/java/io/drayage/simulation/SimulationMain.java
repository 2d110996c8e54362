package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.simulation.kernel.SimClassLoader;
import io.drayage.simulation.kernel.SimScheduler;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Runs seeds, in a JVM whose threads can be scheduled. */
final class SimulationMain {
  private SimulationMain() {}

  /**
   * Prints a line for each seed, and ends at the first that breaks a promise. At the end prints for
   * each state the number of seeds that reached it.
   *
   * @param args the first seed, the last, the runs of each, a variant of {@link SimClassLoader} or
   *     an empty text, and the list that {@link Focus} reads
   */
  public static void main(String[] args) throws Exception {
    if (!SimScheduler.isSupported()) {
      throw new IllegalStateException("threads cannot be simulated on " + Runtime.version());
    }
    SimScheduler.handleUncaught();
    ClassLoader loader = new SimClassLoader(args[3]);
    Map<String, Integer> reached = new TreeMap<>();
    for (long seed = Long.parseLong(args[0]); seed <= Long.parseLong(args[1]); seed++) {
      String done = run(loader, seed, args[4]);
      SimScheduler.countsOfLatest().keySet().forEach(each -> reached.merge(each, 1, Integer::sum));
      for (int again = 1; again < Integer.parseInt(args[2]); again++) {
        String other = run(loader, seed, args[4]);
        if (!other.equals(done)) {
          throw new AssertionError(format("seed %d: %s, then %s", seed, done, other));
        }
      }
      System.out.println("seed " + seed + " holds: " + done);
    }
    reached.forEach((state, seeds) -> System.out.println("reached " + state + ": " + seeds));
    // Threads of the seeds are still there.
    System.exit(0);
  }

  private static String run(ClassLoader loader, long seed, String focus) throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    @SuppressWarnings("unchecked")
    Supplier<String> cluster =
        (Supplier<String>)
            loader
                .loadClass(SimulatedCluster.class.getName())
                .getConstructor(long.class, String.class)
                .newInstance(seed, focus);
    try {
      return cluster.get();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
