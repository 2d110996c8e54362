package io.drayage.bench.doctor;

import java.util.List;

/** The tools that shaped links and hosts on one machine need. */
final class ToolFindings {
  private ToolFindings() {}

  static List<Finding> find() {
    return List.of(
        namespaces(Tools.isOnPath("ip"), Tools.isRoot()),
        tool("tc", "--link can shape to a rate", "--link works with loopback only"),
        tool(
            "iperf3", "a link's rate can be checked", "a link's rate is only measured by drayage"));
  }

  static Finding namespaces(boolean ip, boolean root) {
    return Finding.optional(
        "namespaces",
        ip && root,
        (ip ? "ip found" : "no ip command") + (root ? ", root" : ", not root"),
        "worker and transactor can be hosts of their own",
        ip ? "hosts of their own need root" : "hosts of their own need iproute2");
  }

  private static Finding tool(String name, String ifPresent, String ifNot) {
    boolean present = Tools.isOnPath(name);
    return Finding.optional(name, present, present ? "found" : "not found", ifPresent, ifNot);
  }
}
