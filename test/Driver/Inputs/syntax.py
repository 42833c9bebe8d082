import helion

def broken(:
    pass
