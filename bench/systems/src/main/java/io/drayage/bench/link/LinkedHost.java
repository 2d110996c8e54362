package io.drayage.bench.link;

import java.util.ArrayList;
import java.util.List;

/**
 * One end of a link.
 *
 * @param address the address for connections from the others, an IP address
 * @param prefix the words before a command line that make it run on the host; may be empty
 */
public record LinkedHost(String address, List<String> prefix) {
  public LinkedHost {
    prefix = List.copyOf(prefix);
  }

  /** Returns the command line to run {@code command} on this host as the process itself. */
  public List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return List.copyOf(all);
  }
}
