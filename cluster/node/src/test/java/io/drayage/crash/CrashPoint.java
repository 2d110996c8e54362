package io.drayage.crash;

import java.util.Arrays;
import java.util.List;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Steps of the commit protocol at which tests end a node. Each is the begin or the end of a method
 * of the product. The product has no code for it: tests change its classes when they are loaded.
 */
public enum CrashPoint {
  /** Transactor: a shipment was requested, and is about to be accepted. */
  REQUESTED(When.RETURNS, "transactor/TermAcceptor.admit"),
  /** Transactor: a frame of a cargo has arrived. */
  ARRIVING(When.BEGINS, "snapshot/CargoUpload.keep"),
  /** Transactor: a cargo is complete, and not applied yet. */
  HELD(When.BEGINS, "transactor/CommitMemory.commit"),
  /** Transactor: it is applied in memory, and nothing was answered. */
  APPLIED(When.RETURNS, "transactor/CommitMemory.apply"),
  /** Transactor: its frames are in the object store, but not its entry in the log. */
  UPLOADED(When.BEGINS, "transactor/LogAppender.append"),
  /** Transactor: its entry is in the log, and nothing was answered. */
  LOGGED(When.BEGINS, "transactor/CommitPipeline.logged"),
  /** Transactor: "stored" was answered; it is not published. */
  STORED(When.BEGINS, "transactor/TermPublisher.publish"),
  /** Transactor: it is published, and that is not answered. */
  PUBLISHED(When.BEGINS, "transactor/CommitPipeline.published"),
  /** Transactor: it believes that it is the leader, and has begun no term. */
  LEADING(When.BEGINS, "coordination/zookeeper/ZooKeeperCandidacy.takeOver"),
  /** Transactor: it is elected, and has loaded nothing. */
  ELECTED(When.BEGINS, "transactor/PrimaryRole.rule"),
  /** Transactor: it has read the log, and not closed it to the previous primary. */
  RECOVERED(When.RETURNS, "transactor/Takeover.requireReached"),
  /** Transactor: its takeover is in the log, and it accepts no cargoes yet. */
  TAKEN_OVER(When.RETURNS, "transactor/Takeover.append"),
  /** Transactor: a full snapshot is about to be written. */
  FULL_BEGUN(When.BEGINS, "transactor/SnapshotMaintenance.writeAndPrune"),
  /** Transactor: a full snapshot is written, and nothing that it replaces is deleted. */
  FULL_WRITTEN(When.RETURNS, "transactor/SnapshotMaintenance.writeAndPrune"),
  /** Transactor: a transaction of several workers is open in the store, but not answered. */
  OPENED(When.RETURNS, "transactor/TransactionRegistry.begin"),
  /** Transactor: the data of a fragment is durable, and not recorded. */
  FRAGMENT_STORED(When.BEGINS, "transactor/FragmentIntake.record"),
  /** Transactor: a fragment is recorded, and that is not answered. */
  PREPARED(When.BEGINS, "transactor/FragmentIntake.trace"),
  /** Transactor: a transaction of several workers is to be committed. */
  COMMIT_RECEIVED(When.BEGINS, "transactor/TransactionCommits.fragments"),
  /** Transactor: some fragments are applied beside the snapshot. */
  BUILDING(When.BEGINS, "transactor/TransactionCommits.load"),
  /** Transactor: a transaction is to end without effect. */
  ABORTING(When.BEGINS, "transactor/OpenTransactions.abort"),
  /** Transactor: the lease of a transaction has expired, and the log has no entry of it. */
  EXPIRING(When.BEGINS, "transactor/OpenTransactions.expire"),
  /** Transactor: a request came for a transaction that is not open, and may have ended. */
  ASKED_LATE(When.BEGINS, "transactor/TransactionRegistry.answerEnded"),
  /** Transactor: the data of an ended transaction is about to be deleted. */
  CLEANING(When.BEGINS, "snapshot/transaction/TransactionCleaner.delete"),
  /** Coordinator: its transaction is open, and it has not renewed it yet. */
  BEGUN(When.RETURNS, "worker/DistributedTransaction.begin"),
  /** Coordinator: it has the fragments, and has not requested the commit. */
  COMMITTING(When.BEGINS, "worker/DistributedTransaction.ask"),
  /** Coordinator: its transaction has ended, and no caller was notified. */
  TOLD(When.BEGINS, "worker/DistributedTransaction.end"),
  /** Worker of a transaction: a fragment is cut, and not sent. */
  PIECE(When.BEGINS, "worker/FragmentSender$Pieces.sendPiece"),
  /** Worker of a transaction: a fragment is prepared, and its coordinator does not know. */
  UNREPORTED(When.RETURNS, "worker/FragmentSender$Pieces.sendPiece"),
  /** Worker: the cargo is created, and not sent. */
  CONVERTED(When.BEGINS, "worker/CommitAttempts.untilLoaded"),
  /** Worker: the transactor has answered. */
  ACKNOWLEDGED(When.RETURNS, "worker/CommitAttempts.send"),
  /** Worker: the snapshot is published, and not loaded. */
  SEEN(When.BEGINS, "replica/LogFollower.advance");

  private enum When {
    BEGINS,
    RETURNS
  }

  private final When when;
  private final String method;

  CrashPoint(When when, String method) {
    this.when = when;
    this.method = "io/drayage/" + method;
  }

  /** The class of the method, by its internal name. */
  String owner() {
    return method.substring(0, method.indexOf('.'));
  }

  /** Whether only a node that takes over reaches it. */
  public boolean isOfTakeover() {
    return this == LEADING || this == ELECTED || this == RECOVERED || this == TAKEN_OVER;
  }

  /** Whether only workers and coordinators reach it. */
  public boolean isOfWorker() {
    return method.startsWith("io/drayage/worker/");
  }

  /** Whether only workers of a coordinator's transaction reach it. */
  public boolean isOfFragments() {
    return this == PIECE || this == UNREPORTED;
  }

  /** The points of a method. */
  public static List<CrashPoint> in(String owner, String name) {
    return Arrays.stream(values())
        .filter(point -> point.method.equals(owner + "." + name))
        .toList();
  }

  /**
   * Makes a method call {@code reached}, a static method that gets the name of the point.
   *
   * @param code the visitor of the method
   * @param owner the class of {@code reached}, by its internal name
   */
  public MethodVisitor reporting(MethodVisitor code, String owner, String reached) {
    return new MethodVisitor(Opcodes.ASM9, code) {
      @Override
      public void visitCode() {
        super.visitCode();
        if (when == When.BEGINS) {
          report();
        }
      }

      @Override
      public void visitInsn(int opcode) {
        if (when == When.RETURNS && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
          report();
        }
        super.visitInsn(opcode);
      }

      private void report() {
        super.visitLdcInsn(name());
        super.visitMethodInsn(Opcodes.INVOKESTATIC, owner, reached, "(Ljava/lang/String;)V", false);
      }
    };
  }
}
