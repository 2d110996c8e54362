package io.drayage.bench.doctor;

import java.util.List;

/** What hosts of their own on one machine need. */
final class ToolFindings {
  private ToolFindings() {}

  static List<Finding> find() {
    return List.of(
        namespaces(Tools.isOnPath("ip"), Tools.isRoot()),
        tool("tc", "links between them can be shaped", "links between them run unshaped"));
  }

  static Finding namespaces(boolean ip, boolean root) {
    return Finding.optional(
        "namespaces",
        ip && root,
        (ip ? "ip found" : "no ip command") + (root ? ", root" : ", not root"),
        "hosts can be made on this machine",
        ip ? "hosts on one machine need root" : "hosts on one machine need iproute2");
  }

  private static Finding tool(String name, String ifPresent, String ifNot) {
    boolean present = Tools.isOnPath(name);
    return Finding.optional(name, present, present ? "found" : "not found", ifPresent, ifNot);
  }
}
