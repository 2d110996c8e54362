package io.drayage.bench.link;

import java.util.ArrayList;
import java.util.List;

/**
 * One end of a link.
 *
 * @param address where the host is reached by the others, an IP address
 * @param prefix what stands before a command line so that it runs on the host; may be empty
 */
public record LinkedHost(String address, List<String> prefix) {
  public LinkedHost {
    prefix = List.copyOf(prefix);
  }

  /** The command line that runs {@code command} on this host. Its process is the command's own. */
  public List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return List.copyOf(all);
  }
}
