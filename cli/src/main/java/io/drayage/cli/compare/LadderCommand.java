package io.drayage.cli.compare;

import picocli.CommandLine.Command;

/** {@code drayage ladder}: {@code throughput --preset ladder}. */
@Command(
    name = "ladder",
    description = {
      "Ships the same cargo by one system after the other, from the published one to the fastest,"
          + " with one change per rung, and shows what each change brings by itself.",
      "",
      "It is 'throughput --preset ladder', with the same options. A rung runs alternately with the"
          + " rung that it is compared with and with the baseline. A group has as many rungs as"
          + " fit into memory; their processes are alive at the same time. A rung that this"
          + " machine cannot run is skipped, with the reason.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage ladder --size 100MB",
      "  drayage ladder --budget 5m --json ladder.json"
    })
public final class LadderCommand extends ThroughputCommand {
  @Override
  String ownPreset() {
    return "ladder";
  }
}
