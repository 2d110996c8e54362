package io.drayage.transport.netty;

/**
 * The states of a shipment on the transactor's side, and what each event makes of them. Where the
 * table is empty, the event has no effect.
 *
 * <pre>
 *            | ACCEPTED  HELD      COMMITTED  FAILED  FAULT  GONE
 *  ----------+----------------------------------------------------
 *  OPENING   | BEGIN                          FAIL    END    DROP
 *  RECEIVING |           HOLD                 FAIL    END    DROP
 *  RECEIVED  |                     COMMIT     FAIL    END    AWAIT
 *  OVER      |           KEEP_SEAL REMEMBER
 * </pre>
 */
enum ServerShipmentState {
  /** It waits for room, or for the answer of the acceptor. */
  OPENING,
  /** Its handler gets frames, over one set of connections after another. */
  RECEIVING,
  /** The whole cargo is here: its commit decides. */
  RECEIVED,
  /** Nothing is held of it, but a commit that began may still be answered. */
  OVER;

  /** What happens to a shipment. */
  enum Event {
    /** There is room, and the acceptor has taken it. */
    ACCEPTED,
    /** The handler has the whole cargo. */
    HELD,
    /** The handler has committed it. */
    COMMITTED,
    /** The handler has failed it; or there will be no handler. */
    FAILED,
    /**
     * This side ends it: a connection violated the protocol, the worker stalls, the server ends.
     */
    FAULT,
    /** The worker has cancelled it, or has not come back in time. */
    GONE
  }

  /** What is done then. */
  enum Transition {
    NONE,
    /** To RECEIVING: answers ACCEPT. */
    BEGIN,
    /** To RECEIVED: answers HELD, and takes no more frames. */
    HOLD,
    /** To OVER: answers COMMITTED, now and when the worker asks later. */
    COMMIT,
    /** To OVER: answers FAILED, now and when the worker asks later. */
    FAIL,
    /** To OVER: tells the handler, which knows the outcome, and answers FAILED with it. */
    END,
    /** To OVER: tells the handler alone. */
    DROP,
    /**
     * Stays: drops the connections, and waits for the commit. The worker may ask for its answer.
     */
    AWAIT,
    /** Stays: the commit goes on. */
    KEEP_SEAL,
    /** Stays: answers COMMITTED when the worker asks. */
    REMEMBER
  }

  Transition on(Event event) {
    return switch (this) {
      case OPENING ->
          switch (event) {
            case ACCEPTED -> Transition.BEGIN;
            case HELD, COMMITTED -> Transition.NONE;
            case FAILED -> Transition.FAIL;
            case FAULT -> Transition.END;
            case GONE -> Transition.DROP;
          };
      case RECEIVING ->
          switch (event) {
            case HELD -> Transition.HOLD;
            case ACCEPTED, COMMITTED -> Transition.NONE;
            case FAILED -> Transition.FAIL;
            case FAULT -> Transition.END;
            case GONE -> Transition.DROP;
          };
      case RECEIVED ->
          switch (event) {
            case COMMITTED -> Transition.COMMIT;
            case ACCEPTED, HELD -> Transition.NONE;
            case FAILED -> Transition.FAIL;
            case FAULT -> Transition.END;
            case GONE -> Transition.AWAIT;
          };
      case OVER ->
          switch (event) {
            case HELD -> Transition.KEEP_SEAL;
            case COMMITTED -> Transition.REMEMBER;
            case ACCEPTED, FAILED, FAULT, GONE -> Transition.NONE;
          };
    };
  }
}
